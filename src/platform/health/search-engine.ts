export type SearchEngineState = 'up' | 'degraded' | 'down';

/** How the search engine is; the room that has one sets it. */
export const searchEngine = {
  /** Undefined where words are looked up in the database. */
  state: (): Promise<SearchEngineState> | undefined => undefined,
};
