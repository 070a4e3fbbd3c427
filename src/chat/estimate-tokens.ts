/** What models need for English text, about. */
export const BYTES_PER_TOKEN = 4;

/** The largest number that the database column can store. */
export const MAX_TOKENS = 2 ** 31 - 1;

/** Estimates the tokens of a text by its bytes in UTF-8. */
export const estimateTokens = (text: string): number =>
  Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
