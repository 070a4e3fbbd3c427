/** Stands between the parts of a passage; no word has it. */
const BREAK = 0;

/** A passage in brief: which words follow which, and whether its text is that of another one. */
export interface Codes {
  /** Of the whole text as it stands, but for white space. */
  readonly text: number;
  /** Of each telling word, in order, the parts separated by BREAK. */
  readonly words: Uint16Array;
}

/** The part of the words that is of the text. */
export const wordsOfText = ({ words }: Codes): Uint16Array =>
  words.subarray(words.lastIndexOf(BREAK) + 1);

/**
 * Four bytes for the text, two for each word: a fraction of the room, and of the time to compare,
 * that the words themselves take.
 *
 * @param parts the telling words of each part, the text's last
 */
export function writeCodes(text: string, parts: readonly string[][]): Uint8Array {
  const whole = hash(text.replace(/\s+/g, ' ').trim());
  const codes = parts.flatMap((part, index) => [
    ...(index > 0 ? [BREAK] : []),
    ...part.map(wordCode),
  ]);
  return new Uint8Array(Uint16Array.from([whole >>> 16, whole & 0xffff, ...codes]).buffer);
}

export function readCodes(bytes: Uint8Array): Codes {
  // Codes begin at an even byte: copied where these do not.
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 2 ? new Uint8Array(bytes) : bytes;
  const codes = new Uint16Array(buffer, byteOffset, byteLength / 2);
  return { text: (codes[0] ?? 0) * 0x10000 + (codes[1] ?? 0), words: codes.subarray(2) };
}

/** Sixteen bits of a word's hash, never BREAK. */
export function wordCode(word: string): number {
  const code = hash(word);
  return (code >>> 16) ^ (code & 0xffff) || 1;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let code = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    code = Math.imul(code ^ text.charCodeAt(index), 0x01000193);
  }
  return code >>> 0;
}
