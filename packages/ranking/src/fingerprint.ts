import { TITLE_WEIGHT } from './bounds.js';

/** Separates the fields of a passage. `hashWord` never returns it. */
export const FIELD_SEPARATOR = 0;

/**
 * Hashes of a passage, from which ranking sees which words are adjacent, and NearDuplicateFilter which
 * passages are nearly equal, without loading the text.
 */
export interface Fingerprint {
  /** Hash of the whole text, white space normalized. */
  readonly text: number;
  /** Hashes of the content words in order, the fields divided by FIELD_SEPARATOR, the text last. */
  readonly words: Uint16Array;
}

/** The word hashes of the text, without those of title and heading. */
export const getTextWords = ({ words }: Fingerprint): Uint16Array =>
  words.subarray(words.lastIndexOf(FIELD_SEPARATOR) + 1);

/** How often a passage has words, given by their hashes; one in the title counts TITLE_WEIGHT times. */
export function countFrequencies({ words }: Fingerprint, hashes: readonly number[]): number[] {
  const titleEnd = words.indexOf(FIELD_SEPARATOR);
  return hashes.map((hash) => {
    let frequency = 0;
    for (let at = words.indexOf(hash); at >= 0; at = words.indexOf(hash, at + 1)) {
      frequency += at < titleEnd ? TITLE_WEIGHT : 1;
    }
    return frequency;
  });
}

/**
 * Serializes a fingerprint: four bytes for the text, two for each word.
 *
 * @param fields the content words of each field, the text's last
 */
export function writeFingerprint(text: string, fields: readonly string[][]): Uint8Array {
  const textHash = hashText(text.replace(/\s+/g, ' ').trim());
  const words = fields.flatMap((field, index) => [
    ...(index > 0 ? [FIELD_SEPARATOR] : []),
    ...field.map(hashWord),
  ]);
  return new Uint8Array(Uint16Array.from([textHash >>> 16, textHash & 0xffff, ...words]).buffer);
}

export function readFingerprint(bytes: Uint8Array): Fingerprint {
  // A Uint16Array must begin at an even offset; bytes that do not are copied.
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 2 ? new Uint8Array(bytes) : bytes;
  const values = new Uint16Array(buffer, byteOffset, byteLength / 2);
  return { text: (values[0] ?? 0) * 0x10000 + (values[1] ?? 0), words: values.subarray(2) };
}

/** The hash of a word in 16 bits, never FIELD_SEPARATOR. */
export function hashWord(word: string): number {
  const code = hashText(word);
  return (code >>> 16) ^ (code & 0xffff) || 1;
}

/** FNV-1a, 32 bits. */
export function hashText(text: string): number {
  let code = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    code = Math.imul(code ^ text.charCodeAt(index), 0x01000193);
  }
  return code >>> 0;
}
