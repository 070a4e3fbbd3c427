/** Counts a token for every four bytes of UTF-8, which is about what models count for English text. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
