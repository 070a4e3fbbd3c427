/** The search engine is unavailable. Either nothing was changed, or the change will be repeated. */
export class SearchUnavailableError extends Error {
  static readonly code = 'search_unavailable';
  override name = 'SearchUnavailableError';
  readonly code = SearchUnavailableError.code;
}

/** Also recognises errors from worker threads, which keep only their code. */
export const isSearchUnavailable = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === SearchUnavailableError.code;

/** The postings are not in the expected place: they were lost, or just moved. */
export class PostingsMissingError extends SearchUnavailableError {
  override name = 'PostingsMissingError';
}

/** Also recognises errors from worker threads. */
export const arePostingsMissing = (error: unknown): boolean =>
  isSearchUnavailable(error) && error.name === 'PostingsMissingError';

export const notConfigured = (kbId: string): SearchUnavailableError =>
  new PostingsMissingError(
    `The words of ${kbId} are in a search engine: set SEARCH_URL, or run npm run search:move -- --to database`,
  );
