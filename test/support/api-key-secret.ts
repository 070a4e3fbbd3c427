import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** What finds a leaked key in any text. */
export const LEAKED_KEY = /\brag_(live|test)_[0-9A-Za-z]{48}\b/;

/** Puts the right CRC-32 checksum behind `rag_<environment>_` and 42 characters. */
export function withChecksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return body + digits;
}

/** Another character of the alphabet in the place `index`. */
export function altered(secret: string, index: number): string {
  const other = secret.at(index) === 'x' ? 'y' : 'x';
  const characters = [...secret];
  characters[index < 0 ? secret.length + index : index] = other;
  return characters.join('');
}
