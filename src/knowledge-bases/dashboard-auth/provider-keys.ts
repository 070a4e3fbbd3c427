import { Logger } from '@nestjs/common';
import {
  createRemoteJWKSet,
  type CryptoKey,
  customFetch,
  errors,
  type JWTVerifyGetKey,
} from 'jose';
import type { OidcConfig } from '../../platform/config/dashboard-auth-config.js';
import { isSecureUrl } from '../../platform/config/validators.js';
import { parseResponse } from '@latchkey/text/parse-json';
import { Problem } from '../../platform/problems/problem.js';

const TIMEOUT_MS = 3000;
/** How often the keys are fetched again, so that a withdrawn key is no longer accepted. */
const REFRESH_MS = 60_000;
/** The shortest interval at which tokens with unknown key ids cause a fetch. */
const COOLDOWN_MS = 30_000;
/** Pause after a failed request to the provider. */
const RETRY_MS = 1000;

/** The maximum size of a discovery document, or of keys with their certificates. */
const MAX_BYTES = 512 * 1024;
/** The number of keys per provider, because jose keeps all of them. */
const MAX_KEYS = 100;
/** The minimum size of an RSA key (RFC 7518). */
const MIN_RSA_BITS = 2048;

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/**
 * The identity provider's public keys (JWKS). They are fetched when first needed, so that the service
 * starts without the provider. While the provider is unavailable, the last known keys stay valid.
 */
export class ProviderKeys {
  private readonly logger = new Logger(ProviderKeys.name);
  private remote?: Promise<RemoteKeys>;
  private lastRefresh = Date.now();
  private refreshing: Promise<void> = Promise.resolve();
  private lastFailure = -Infinity;

  /**
   * @param send how its documents are read
   * @param isAllowed whether its keys may be read there
   */
  constructor(
    private readonly oidc: Pick<OidcConfig, 'issuer' | 'jwksUrl'>,
    private readonly send: (url: string, init?: RequestInit) => Promise<Response> = fetch,
    private readonly isAllowed: (url: string) => boolean = isSecureUrl,
  ) {}

  /** @throws Problem `identity_provider_unavailable` when the keys cannot be read */
  async get(...[header, token]: Parameters<JWTVerifyGetKey>) {
    try {
      const keys = await this.connect();
      await this.refresh(keys);
      const key = await keys(header, token);
      // With a weak key jose throws a TypeError, which would become a 500 instead of a 401.
      if (isTooWeak(key)) throw new errors.JWKSNoMatchingKey();
      return key;
    } catch (error) {
      if (isAboutToken(error)) throw error;
      this.logger.warn(`Cannot fetch the identity provider's keys: ${String(error)}`);
      throw new Problem('identity_provider_unavailable', { headers: { 'retry-after': '5' } });
    }
  }

  private connect(): Promise<RemoteKeys> {
    this.remote ??= this.discover().then((url) =>
      createRemoteJWKSet(url, {
        timeoutDuration: TIMEOUT_MS,
        cooldownDuration: COOLDOWN_MS,
        // jose would reject keys of this age while the provider is unavailable; see refresh().
        cacheMaxAge: Infinity,
        [customFetch]: (...request) => this.fetch(...request),
      }),
    );
    this.remote.catch(() => (this.remote = undefined));
    return this.remote;
  }

  private async read(...request: Parameters<ProviderKeys['send']>) {
    if (Date.now() - this.lastFailure < RETRY_MS) throw new Error('the last request just failed');
    try {
      const response = await this.send(...request);
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      const document = await parseResponse(response, MAX_BYTES);
      requireFewKeys(document);
      return { response, document };
    } catch (error) {
      this.lastFailure = Date.now();
      throw error;
    }
  }

  private async fetch(...request: Parameters<ProviderKeys['send']>): Promise<Response> {
    const { response, document } = await this.read(...request);
    // jose reads the keys with this method.
    return Object.assign(response, { json: () => Promise.resolve(document) });
  }

  private async discover(): Promise<URL> {
    const { issuer, jwksUrl } = this.oidc;
    if (jwksUrl !== undefined) return new URL(jwksUrl);
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { document } = await this.read(url, { signal, redirect: 'error' });
    const metadata = document as Record<string, unknown>;
    if (metadata['issuer'] !== issuer) throw new Error('discovery names another issuer');
    const keysUrl = metadata['jwks_uri'];
    if (typeof keysUrl !== 'string' || !this.isAllowed(keysUrl)) {
      throw new Error('discovery names no safe jwks_uri');
    }
    return new URL(keysUrl);
  }

  /**
   * Refreshes the keys. Requests wait for it, at most TIMEOUT_MS: otherwise the first request after a long
   * pause could be verified with a key that was withdrawn during the pause.
   */
  private refresh(keys: RemoteKeys): Promise<void> {
    const now = Date.now();
    if (now - this.lastRefresh >= REFRESH_MS) {
      this.lastRefresh = now;
      this.refreshing = keys.reload().catch((error: unknown) => {
        this.logger.warn(`Cannot refresh the identity provider's keys: ${String(error)}`);
      });
    }
    return this.refreshing;
  }
}

function requireFewKeys(document: unknown): void {
  const { keys } = Object(document) as { readonly keys?: unknown };
  if (Array.isArray(keys) && keys.length > MAX_KEYS) throw new Error('it has too many keys');
}

const isAboutToken = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JOSENotSupported;

const isTooWeak = ({ algorithm }: CryptoKey): boolean =>
  'modulusLength' in algorithm && Number(algorithm.modulusLength) < MIN_RSA_BITS;
