import { Injectable } from '@nestjs/common';
import type { JWTVerifyGetKey } from 'jose';
import { findUrlProblem } from '../../platform/http/receiver-address.js';
import { ProviderKeys } from '../../knowledge-bases/dashboard-auth/provider-keys.js';
import { Config } from '../../platform/config/config.js';
import { fetchDocument } from '../../platform/http/fetch-document.js';

/** The number of issuers whose keys are cached. */
const MAX_ISSUERS = 200;

/** The public keys of trusted issuers. They are fetched when first needed. */
@Injectable()
export class IssuerKeys {
  private readonly issuers = new Map<string, ProviderKeys>();
  private readonly allowPrivate: boolean;

  constructor(config: Config) {
    this.allowPrivate = config.TRUSTED_ISSUER_ALLOW_PRIVATE === 'yes';
  }

  /** @returns what finds a token's key; it throws Problem `identity_provider_unavailable` */
  getKeyResolver(issuer: string): JWTVerifyGetKey {
    const keys = this.issuers.get(issuer) ?? this.newKeys(issuer);
    // The least recently used issuer is removed first.
    this.issuers.delete(issuer);
    this.issuers.set(issuer, keys);
    return (header, token) => keys.get(header, token);
  }

  private newKeys(issuer: string): ProviderKeys {
    const [oldest] = this.issuers.keys();
    if (oldest !== undefined && this.issuers.size >= MAX_ISSUERS) this.issuers.delete(oldest);
    return new ProviderKeys(
      { issuer, jwksUrl: undefined },
      (url) => fetchDocument(url, this.allowPrivate),
      (url) => findUrlProblem(url, this.allowPrivate) === undefined,
    );
  }
}
