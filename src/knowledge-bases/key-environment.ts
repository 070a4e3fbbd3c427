export const ENVIRONMENTS = ['live', 'test'] as const;

/** The environment of an API key, by which its use is counted and its conversations are listed. */
export type ApiKeyEnvironment = (typeof ENVIRONMENTS)[number];

/** The kind of a secret, after `rag_`: `admin` for a service account's key. */
export type KeyKind = ApiKeyEnvironment | 'admin';
