import { Logger } from '@nestjs/common';
import {
  createRemoteJWKSet,
  type CryptoKey,
  customFetch,
  errors,
  type JWTVerifyGetKey,
} from 'jose';
import type { OidcConfig } from '../config/dashboard-auth-config.js';
import { isSecureUrl } from '../config/validators.js';
import { Problem } from '../problems/problem.js';

const TIMEOUT_MS = 3000;
/** How often keys are read anew, so that one the provider has withdrawn does not stay. */
const REFRESH_MS = 60_000;
/** How soon an unknown key id may make them be read again: forged ones cost no more than this. */
const COOLDOWN_MS = 30_000;
/** How soon a provider that is away is asked again, however many unknown key ids come. */
const RETRY_MS = 1000;

/** What RFC 7518 asks of RSA keys. */
const MIN_RSA_BITS = 2048;

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/**
 * The identity provider's public keys. Read when first needed, so that the service starts without
 * the provider; while it is out of reach, keys that are known go on.
 */
export class ProviderKeys {
  private readonly logger = new Logger(ProviderKeys.name);
  private remote?: Promise<RemoteKeys>;
  private lastRefresh = Date.now();
  private refreshing: Promise<void> = Promise.resolve();
  private lastFailure = -Infinity;

  constructor(private readonly oidc: OidcConfig) {}

  /** @throws Problem `identity_provider_unavailable` when the keys cannot be had */
  async get(...[header, token]: Parameters<JWTVerifyGetKey>) {
    try {
      const keys = await this.connect();
      await this.refresh(keys);
      const key = await keys(header, token);
      // As if it were not there; verifying with it would be an error of ours.
      if (isTooWeak(key)) throw new errors.JWKSNoMatchingKey();
      return key;
    } catch (error) {
      if (
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys
      ) {
        throw error;
      }
      if (error instanceof errors.JOSENotSupported) throw error;
      this.logger.warn(`The identity provider's keys cannot be read: ${String(error)}`);
      throw new Problem('identity_provider_unavailable', { headers: { 'retry-after': '5' } });
    }
  }

  private connect(): Promise<RemoteKeys> {
    this.remote ??= this.discover().then((url) =>
      createRemoteJWKSet(url, {
        timeoutDuration: TIMEOUT_MS,
        cooldownDuration: COOLDOWN_MS,
        // Never too old to use; refresh() keeps them young where it can.
        cacheMaxAge: Infinity,
        [customFetch]: (...request) => this.fetch(...request),
      }),
    );
    this.remote.catch(() => (this.remote = undefined));
    return this.remote;
  }

  private async fetch(...request: Parameters<typeof fetch>): Promise<Response> {
    if (Date.now() - this.lastFailure < RETRY_MS) throw new Error('asked a moment ago');
    try {
      const response = await fetch(...request);
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      return response;
    } catch (error) {
      this.lastFailure = Date.now();
      throw error;
    }
  }

  private async discover(): Promise<URL> {
    const { issuer, jwksUrl } = this.oidc;
    if (jwksUrl !== undefined) return new URL(jwksUrl);
    const response = await this.fetch(
      `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      {
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      },
    );
    const { issuer: told, jwks_uri: url } = (await response.json()) as Record<string, unknown>;
    if (told !== issuer) throw new Error('discovery names another issuer');
    if (typeof url !== 'string' || !isSecureUrl(url))
      throw new Error('discovery names no safe jwks_uri');
    return new URL(url);
  }

  /**
   * Requests wait for it, a bounded time: after a quiet hour the first one must not be judged by a
   * key that was withdrawn meanwhile. Where the provider cannot be asked, known keys go on.
   */
  private refresh(keys: RemoteKeys): Promise<void> {
    const now = Date.now();
    if (now - this.lastRefresh >= REFRESH_MS) {
      this.lastRefresh = now;
      this.refreshing = keys.reload().catch((error: unknown) => {
        this.logger.warn(`The identity provider's keys cannot be refreshed: ${String(error)}`);
      });
    }
    return this.refreshing;
  }
}

const isTooWeak = ({ algorithm }: CryptoKey): boolean =>
  'modulusLength' in algorithm && Number(algorithm.modulusLength) < MIN_RSA_BITS;
