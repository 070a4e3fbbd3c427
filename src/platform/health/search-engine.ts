export type SearchEngineState = 'up' | 'degraded' | 'down';

/** The status of the search engine; set by SearchModule. */
export const searchEngine = {
  /** Undefined if there is no search engine. */
  state: (): Promise<SearchEngineState> | undefined => undefined,
};
