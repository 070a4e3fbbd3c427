import { hashText } from '@latchkey/ranking/fingerprint';

/** Four bytes per term: 24 bits of its hash, and 8 bits for its frequency. */
const TERM_BYTES = 4;
const FREQUENCY_BITS = 8;
const MAX_FREQUENCY = 2 ** FREQUENCY_BITS - 1;

const toCode = (term: string): number => hashText(term) >>> FREQUENCY_BITS;

/** Encodes the term frequencies of a passage in base64, to be stored in the engine. */
export function writeFrequencies(terms: readonly string[], frequencies: readonly number[]): string {
  const bytes = Buffer.alloc(terms.length * TERM_BYTES);
  for (const [index, term] of terms.entries()) {
    const frequency = Math.min(frequencies[index] ?? 0, MAX_FREQUENCY);
    bytes.writeUInt32LE(toCode(term) * (MAX_FREQUENCY + 1) + frequency, index * TERM_BYTES);
  }
  return bytes.toString('base64');
}

/** Returns a function that decodes the frequencies of the given terms in a passage. */
export function createFrequencyReader(terms: readonly string[]): (stored: string) => Uint8Array {
  const places = new Map(terms.map((term, index) => [toCode(term), index]));
  return (stored) => {
    const bytes = Buffer.from(stored, 'base64');
    const frequencies = new Uint8Array(terms.length);
    for (let at = 0; at < bytes.length; at += TERM_BYTES) {
      const value = bytes.readUInt32LE(at);
      const place = places.get(value >>> FREQUENCY_BITS);
      if (place !== undefined) frequencies[place] = value & MAX_FREQUENCY;
    }
    return frequencies;
  };
}
