export const ENVIRONMENTS = ['live', 'test'] as const;

/** What an API key is for. Its use is counted, and its conversations are listed, by it. */
export type ApiKeyEnvironment = (typeof ENVIRONMENTS)[number];

/** What stands in a secret behind `rag_`: `admin` in that of a service account's key. */
export type KeyKind = ApiKeyEnvironment | 'admin';
