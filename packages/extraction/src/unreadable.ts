/** The reason why a document gives no passages. Reading it again in a new process gives the same result. */
export type UnreadableCode =
  | 'no_text_extracted'
  | 'unsupported_type'
  | 'encrypted'
  | 'too_large'
  | 'too_many_chunks'
  | 'parse_failed'
  | 'parse_timeout';

export class Unreadable extends Error {
  constructor(
    readonly code: UnreadableCode,
    message: string,
  ) {
    super(message);
  }
}
