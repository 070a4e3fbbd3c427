/** A token for each four bytes of UTF-8, as models have about as many of English text. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
