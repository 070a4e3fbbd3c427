export const ENVIRONMENTS = ['live', 'test'] as const;

/** What an API key is for. Its use is counted, and its conversations are listed, by it. */
export type ApiKeyEnvironment = (typeof ENVIRONMENTS)[number];
