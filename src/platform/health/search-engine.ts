export type SearchEngineState = 'up' | 'degraded' | 'down';

/** The status of the search engine; set by the plugin that has one. */
export const searchEngine = {
  /** Undefined if there is no search engine. */
  state: (): Promise<SearchEngineState> | undefined => undefined,
};
