import { createPublicKey, type KeyObject } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { parseResponse } from '@latchkey/text/parse-json';
import { Problem } from '../../platform/problems/problem.js';

const TIMEOUT_MS = 3000;
/** How often the keys are fetched again, so that a withdrawn one is no longer accepted. */
const REFRESH_MS = 60 * 60 * 1000;
/** A signature by an unknown key makes the keys be fetched again, at most this often. */
const COOLDOWN_MS = 10_000;
const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 100;

/**
 * The public keys by which GitHub signs reports of leaked secrets. They are fetched when first needed.
 * While GitHub cannot be reached, the last known keys stay valid.
 */
@Injectable()
export class GithubSigningKeys {
  private readonly logger = new Logger(GithubSigningKeys.name);
  private readonly url: string;
  private keys: ReadonlyMap<string, KeyObject> | undefined;
  private fetchedAt = -Infinity;
  private fetching: Promise<void> | undefined;

  constructor(config: Config) {
    this.url = config.GITHUB_SECRET_SCANNING_KEYS_URL;
  }

  /**
   * @returns undefined when GitHub has no such key
   * @throws Problem `signing_keys_unavailable` when the keys were never read
   */
  async get(identifier: string): Promise<KeyObject | undefined> {
    const age = performance.now() - this.fetchedAt;
    if (age > REFRESH_MS || (!this.keys?.has(identifier) && age > COOLDOWN_MS)) {
      this.fetching ??= this.fetch().finally(() => (this.fetching = undefined));
      await this.fetching;
    }
    if (!this.keys) throw new Problem('signing_keys_unavailable');
    return this.keys.get(identifier);
  }

  private async fetch(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(this.url, { signal, redirect: 'error' });
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      this.keys = toKeys(await parseResponse(response, MAX_BYTES));
    } catch (error) {
      this.logger.warn(`Cannot fetch GitHub's signing keys: ${String(error)}`);
    } finally {
      this.fetchedAt = performance.now();
    }
  }
}

/** @throws Error when the answer has another form than GitHub's */
function toKeys(answer: unknown): ReadonlyMap<string, KeyObject> {
  const { public_keys: listed } = answer as {
    public_keys: { key_identifier: string; key: string }[];
  };
  if (listed.length > MAX_KEYS) throw new Error('it has too many keys');
  const keys = listed.map(({ key_identifier, key }): [string, KeyObject] => [
    key_identifier,
    createPublicKey(key),
  ]);
  return new Map(keys.filter(([, key]) => key.asymmetricKeyDetails?.namedCurve === 'prime256v1'));
}
