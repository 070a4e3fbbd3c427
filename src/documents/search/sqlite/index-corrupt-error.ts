/** The index is missing, damaged or outdated, and must be rebuilt before it is used. */
export class IndexCorruptError extends Error {
  static readonly code = 'INDEX_CORRUPT';
  readonly code = IndexCorruptError.code;
}
