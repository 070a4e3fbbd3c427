/** There is no index, or none that could be used: it is to be made anew first. */
export class IndexCorruptError extends Error {
  static readonly code = 'INDEX_CORRUPT';
  readonly code = IndexCorruptError.code;
}
