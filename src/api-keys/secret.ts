import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKeyEnvironment } from '../knowledge-bases/key-environment.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LOOKUP_ID_LENGTH = 10;
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

const PATTERN = /^rag_(?:live|test)_[0-9A-Za-z]{48}$/;
/** Finds the keys in a text. */
export const LEAKED_SECRET = /\brag_(?:live|test)_[0-9A-Za-z]{48}\b/g;

const PREFIX_LENGTH = 'rag_live_'.length + LOOKUP_ID_LENGTH;

/**
 * A new secret: `rag_<environment>_`, 10 characters of lookup id, 32 random ones (190 bits) and a
 * checksum of 6; 57 bytes, which bcrypt hashes whole.
 */
export function generateSecret(environment: ApiKeyEnvironment): string {
  const body = `rag_${environment}_${randomBase62(LOOKUP_ID_LENGTH + RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/** The part of a secret that is shown in lists: `rag_live_` and the lookup id. */
export const prefixOf = (secret: string) => secret.slice(0, PREFIX_LENGTH);

/** What a text is searched by: only the prefix, if a key was pasted into it. */
export const withoutSecret = (text: string): string =>
  /rag_(?:live|test)_[0-9A-Za-z]{10}/.exec(text)?.[0] ?? text;

/** Whether `value` has the form of a secret: a filter for typing errors, not a proof of a key. */
export function isWellFormedSecret(value: string): boolean {
  return (
    PATTERN.test(value) &&
    checksum(value.slice(0, -CHECKSUM_LENGTH)) === value.slice(-CHECKSUM_LENGTH)
  );
}

const randomBase62 = (length: number) =>
  Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');

/** CRC-32 (IEEE 802.3) of the characters before, as six base62 digits. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
