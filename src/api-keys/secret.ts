import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '../knowledge-bases/key-environment.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LOOKUP_ID_LENGTH = 10;
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

const PARTNERS = /^rag_(?:live|test)_[0-9A-Za-z]{48}$/;
const MANAGEMENT = /^rag_admin_[0-9A-Za-z]{48}$/;
/** Finds secrets in a text, also behind the `n` of a line break in JSON, and between underscores. */
export const LEAKED_SECRET = /rag_(?:live|test|admin)_[0-9A-Za-z]{48}(?![0-9A-Za-z])/g;

/**
 * Generates a secret: `rag_<kind>_`, 10 characters of lookup id, 32 random ones (190 bits) and a checksum
 * of 6. It has 57 or 58 bytes, which bcrypt hashes completely.
 */
export function generateSecret(kind: KeyKind): string {
  const body = `rag_${kind}_${randomBase62(LOOKUP_ID_LENGTH + RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/** The part of a secret that is shown in lists: `rag_live_` and the lookup id. */
export const parsePrefix = (secret: string) =>
  secret.slice(0, secret.indexOf('_', 'rag_'.length) + 1 + LOOKUP_ID_LENGTH);

/** The text to search for: only the prefix, if a secret was pasted into it. */
export const withoutSecret = (text: string): string =>
  /rag_(?:live|test|admin)_[0-9A-Za-z]{10}/.exec(text)?.[0] ?? text;

/** Whether `value` has the form of a partner's secret. This catches typing errors and proves nothing. */
export const isWellFormedSecret = (value: string): boolean =>
  PARTNERS.test(value) && hasChecksum(value);

/** Whether `value` has the form of the secret of a service account's key. */
export const isManagementSecret = (value: string): boolean =>
  MANAGEMENT.test(value) && hasChecksum(value);

function hasChecksum(value: string): boolean {
  return checksum(value.slice(0, -CHECKSUM_LENGTH)) === value.slice(-CHECKSUM_LENGTH);
}

const randomBase62 = (length: number) =>
  Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');

/** The CRC-32 (IEEE 802.3) of the preceding characters, as six base62 digits. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
