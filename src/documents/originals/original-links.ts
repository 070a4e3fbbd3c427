import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { parseJson } from '@latchkey/text/parse-json';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import {
  EVERYONE,
  type Principals,
  toPrincipals,
} from '../../knowledge-bases/access-rules/principals.js';
import {
  type DashboardUser,
  getPrincipals,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { Settings } from '../../knowledge-bases/settings/settings.js';
import { Config } from '../../platform/config/config.js';
import { type DerivedKey, Peppers } from '../../platform/peppers/peppers.js';
import { SealedTexts } from '../../platform/peppers/sealed-texts.js';
import { Problem } from '../../platform/problems/problem.js';
import type { FoundPassageDto } from '../search/passage.dto.js';

const LIFE_MS = 600_000;
/** Browsers and proxies take addresses of 8 KB. */
const MAX_PAYLOAD_LENGTH = 6000;

/** For whom a link opens an original: it may do no more than they may at that moment. */
export interface LinkClaims {
  /** The API key that asked, or that of the client token. */
  readonly key?: string;
  /** The dashboard user who asked. */
  readonly user?: string;
  /** Of this user, where they have any. */
  readonly groups?: Principals;
  /** The client token's end user, whom the link does not show. */
  readonly endUser?: string | undefined;
  /** Of the client token: its principals, each as a hash, for the rules of documents. */
  readonly readers?: string;
  /** Of the client token, in addition to the filter of its key. */
  readonly filter?: MetadataFilter | undefined;
  /** In milliseconds since 1970. */
  readonly end: number;
}

/** Who gets links. */
type Asker =
  | Pick<ApiKeyPrincipal, 'id' | 'scopes' | 'endUserId' | 'clientToken' | 'principals'>
  | Pick<DashboardUser, 'id' | 'groups'>;

/** @returns no fields where originals are for members only, or the asker's groups are too long for a link */
export type LinkTo = (documentId: string) => Pick<FoundPassageDto, 'original_url' | 'expires_at'>;

/** Signs links to originals, and verifies them. They are not stored. */
@Injectable()
export class OriginalLinks {
  /** The first one signs. */
  private readonly keys: readonly [DerivedKey, ...DerivedKey[]];
  private readonly endUsers: SealedTexts;
  private readonly base: string;

  constructor(peppers: Peppers, { PUBLIC_URL }: Config) {
    this.keys = peppers.derive('latchkey original link');
    this.endUsers = new SealedTexts(peppers, 'latchkey end user of an original link');
    this.base = `${PUBLIC_URL?.replace(/\/$/, '') ?? ''}/api/v1/documents`;
  }

  /** @param asker who gets the links, which end with them */
  for(asker: Asker, { originals }: Pick<Settings, 'originals'>, now = Date.now()): LinkTo {
    if (originals !== 'readers') return () => ({});
    const token = 'scopes' in asker ? asker.clientToken : undefined;
    const end = Math.min(now + LIFE_MS, token?.expiresAt.getTime() ?? Infinity);
    const claims = { ...this.whose(asker), filter: token?.filter, end } satisfies LinkClaims;
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    if (payload.length > MAX_PAYLOAD_LENGTH) return () => ({});
    const expires_at = new Date(end).toISOString();
    return (documentId) => ({
      original_url: `${this.base}/${documentId}/original?link=${payload}.${sign(this.keys[0].key, documentId, payload)}`,
      expires_at,
    });
  }

  /**
   * @param link what the request has for it
   * @throws Problem `invalid_link`
   */
  verify(link: unknown, documentId: string): LinkClaims {
    const [payload, signature, ...rest] = typeof link === 'string' ? link.split('.') : [];
    if (payload !== undefined && signature !== undefined && rest.length === 0) {
      // As texts, because several texts are the same bytes in base64url.
      const given = Buffer.from(signature);
      const signed = this.keys.find(({ key }) => {
        const expected = Buffer.from(sign(key, documentId, payload));
        return expected.length === given.length && timingSafeEqual(expected, given);
      });
      if (signed) {
        const claims = parseJson(Buffer.from(payload, 'base64url').toString()) as LinkClaims;
        if (claims.end > Date.now()) return this.withEndUser(claims, signed.pepperId);
      }
    }
    throw new Problem('invalid_link', { headers: { 'www-authenticate': 'Link realm="api"' } });
  }

  private whose(asker: Asker): Omit<LinkClaims, 'filter' | 'end'> {
    if (!('scopes' in asker)) {
      const { id: user, groups } = asker;
      return { user, ...(groups.length > 0 && { groups }) };
    }
    const { id: key, endUserId, principals } = asker;
    if (endUserId === undefined) return { key };
    const endUser = this.endUsers.seal(key, endUserId);
    return { key, endUser, readers: principals.map(shortHash).join('') };
  }

  private withEndUser(claims: LinkClaims, pepperId: string): LinkClaims {
    const { key = '', endUser } = claims;
    if (endUser === undefined) return claims;
    return { ...claims, endUser: this.endUsers.open(key, endUser, pepperId) };
  }
}

/**
 * Whether an entry of a rule is one of whoever has a link.
 *
 * @param ofKey the principals that the key has now
 */
export function isOfHolder(
  { user, groups = [], readers }: LinkClaims,
  ofKey: Principals,
): (entry: string) => boolean {
  const hashes = new Set(readers?.match(/.{11}/g));
  const names = new Set(
    user === undefined ? toPrincipals(ofKey) : getPrincipals({ id: user, groups }),
  );
  const isTheirs = (entry: string) =>
    readers === undefined ? names.has(entry) : hashes.has(shortHash(entry));
  return (entry) => entry === EVERYONE || isTheirs(entry);
}

/** 64 bits each, since somebody may be in 500 groups, and an address may have some 8,000 characters. */
const shortHash = (principal: string) => hash('sha256', principal, 'base64url').slice(0, 11);

const sign = (key: KeyObject, documentId: string, payload: string): string =>
  createHmac('sha256', key).update(`${documentId}.${payload}`).digest('base64url');
