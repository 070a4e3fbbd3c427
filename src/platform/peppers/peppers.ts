import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { ConfigurationError } from '../config/configuration-error.js';

interface Pepper {
  readonly id: string;
  /** A KeyObject, because in Node.js 24 an HMAC with a Buffer takes at least six times as long. */
  readonly secret: KeyObject;
}

/** The HMAC-SHA-256 of a secret under one pepper, used to look up its key. */
export interface FastHash {
  readonly pepperId: string;
  readonly hash: string;
}

const MIN_BYTES = 32;
/** The name of the pepper file in `DATA_DIR`. */
export const PEPPER_FILE = 'api-key-pepper';

/** A key that is derived from one pepper. */
export interface DerivedKey {
  readonly pepperId: string;
  readonly key: KeyObject;
}

/**
 * The server-side secrets for the HMACs under which API keys are stored, and for derived keys. Without
 * them a stolen database reveals no key. A request costs one HMAC instead of a bcrypt comparison.
 */
export class Peppers {
  /** The current pepper first. */
  readonly ids: readonly string[];

  private constructor(private readonly peppers: readonly [Pepper, ...Pepper[]]) {
    this.ids = peppers.map(({ id }) => id);
  }

  /** Loads the peppers from `API_KEY_PEPPERS`, or else from a file that is generated at the first start. */
  static load({
    API_KEY_PEPPERS,
    DATA_DIR,
  }: Pick<Config, 'API_KEY_PEPPERS' | 'DATA_DIR'>): Peppers {
    return API_KEY_PEPPERS === undefined
      ? Peppers.parse(readOrCreate(join(DATA_DIR, PEPPER_FILE)), `${join(DATA_DIR, PEPPER_FILE)}:`)
      : Peppers.parse(API_KEY_PEPPERS, 'API_KEY_PEPPERS');
  }

  private static parse(text: string, source: string): Peppers {
    const [current, ...previous] = text.split(',').map((entry) => parsePepper(entry.trim()));
    const peppers = [current, ...previous];
    const ids = new Set(peppers.map((pepper) => pepper?.id));
    if (!current || peppers.includes(undefined) || ids.size !== peppers.length) {
      throw new ConfigurationError(
        `${source} must list different id:base64 entries of at least ${MIN_BYTES} bytes, separated by commas, the current one first`,
      );
    }
    return new Peppers([current, ...previous.filter((pepper) => pepper !== undefined)]);
  }

  /** Returns the hash for a new key. */
  current(secret: string): FastHash {
    return hashWith(this.peppers[0], secret);
  }

  /** Returns the hashes under which a key may be stored, the current pepper's first. */
  all(secret: string): [FastHash, ...FastHash[]] {
    const [current, ...previous] = this.peppers;
    return [hashWith(current, secret), ...previous.map((pepper) => hashWith(pepper, secret))];
  }

  /**
   * Derives a key of 32 bytes from each pepper by HKDF, the current pepper's first.
   *
   * @param purpose keys for different purposes are independent of each other
   */
  derive(purpose: string): [DerivedKey, ...DerivedKey[]] {
    const [current, ...previous] = this.peppers;
    return [deriveFrom(current, purpose), ...previous.map((one) => deriveFrom(one, purpose))];
  }
}

const hashWith = (pepper: Pepper, secret: string): FastHash => ({
  pepperId: pepper.id,
  hash: createHmac('sha256', pepper.secret).update(secret).digest('base64url'),
});

const deriveFrom = ({ id, secret }: Pepper, purpose: string): DerivedKey => ({
  pepperId: id,
  key: createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))),
});

function parsePepper(entry: string): Pepper | undefined {
  const [, id, base64] = /^([\w-]{1,32}):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry) ?? [];
  const secret = Buffer.from(base64 ?? '', 'base64');
  if (id === undefined || secret.length < MIN_BYTES) return undefined;
  return { id, secret: createSecretKey(secret) };
}

function readOrCreate(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // `link` fails if the file exists, and makes it visible only when complete: if two processes start at
  // once, one creates the file, and neither reads a partial one.
  const draft = `${file}.${process.pid}`;
  // The id is random, because a database copied from another machine has keys of that machine's pepper.
  const id = `file-${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${id}:${randomBytes(MIN_BYTES).toString('base64')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file, 'utf8').trim();
}
