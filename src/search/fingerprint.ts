/** Separates the parts of a passage; no word has this hash. */
const BREAK = 0;

/** A passage in brief: which words follow which, and whether its text equals that of another. */
export interface Fingerprint {
  /** Hash of the whole text, white space normalized. */
  readonly text: number;
  /** Hash of each telling word, in order, the parts separated by BREAK. */
  readonly words: Uint16Array;
}

/** The part of the words that is of the text. */
export const wordsOfText = ({ words }: Fingerprint): Uint16Array =>
  words.subarray(words.lastIndexOf(BREAK) + 1);

/**
 * Four bytes for the text, two for each word: less to store and faster to compare than the words.
 *
 * @param parts the telling words of each part, the text's last
 */
export function writeFingerprint(text: string, parts: readonly string[][]): Uint8Array {
  const whole = hash(text.replace(/\s+/g, ' ').trim());
  const words = parts.flatMap((part, index) => [
    ...(index > 0 ? [BREAK] : []),
    ...part.map(hashWord),
  ]);
  return new Uint8Array(Uint16Array.from([whole >>> 16, whole & 0xffff, ...words]).buffer);
}

export function readFingerprint(bytes: Uint8Array): Fingerprint {
  // A Uint16Array must begin at an even byte: copied where these bytes do not.
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 2 ? new Uint8Array(bytes) : bytes;
  const values = new Uint16Array(buffer, byteOffset, byteLength / 2);
  return { text: (values[0] ?? 0) * 0x10000 + (values[1] ?? 0), words: values.subarray(2) };
}

/** Sixteen bits of a word's hash, never BREAK. */
export function hashWord(word: string): number {
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
