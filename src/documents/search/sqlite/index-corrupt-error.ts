/** The index is missing, damaged or outdated, and must be rebuilt before it is used. */
export class IndexCorruptError extends Error {
  static readonly code = 'INDEX_CORRUPT';
  /** Of an index of the former format, which can be searched as soon as its rebuild has begun. */
  static readonly formerCode = 'INDEX_FORMER';
  readonly code: string;

  constructor(isFormer = false) {
    super();
    this.code = isFormer ? IndexCorruptError.formerCode : IndexCorruptError.code;
  }
}
