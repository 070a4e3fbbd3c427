/** The search engine cannot be used now. Nothing was changed, or what was is done again later. */
export class SearchUnavailableError extends Error {
  static readonly code = 'search_unavailable';
  override name = 'SearchUnavailableError';
  readonly code = SearchUnavailableError.code;
}

/** Also of an error that a worker thread has thrown, which keeps nothing but its code. */
export const isSearchUnavailable = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === SearchUnavailableError.code;

/** The postings are not where they were looked for: lost, or moved a moment ago. */
export class PostingsMissingError extends SearchUnavailableError {
  override name = 'PostingsMissingError';
}

/** Also of an error that a worker thread has thrown. */
export const arePostingsMissing = (error: unknown): boolean =>
  isSearchUnavailable(error) && error.name === 'PostingsMissingError';

export const notConfigured = (kbId: string): SearchUnavailableError =>
  new PostingsMissingError(
    `The words of ${kbId} are in a search engine: give SEARCH_URL, or npm run search:move -- --to database`,
  );
