import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { parseJson } from '@latchkey/text/parse-json';
import {
  type LinkReader,
  LinksSources,
  type LinkTo,
  type SourceLinker,
} from '../../chat/source-links.js';
import { type Principals, toPrincipals } from '../../knowledge-bases/access-rules/principals.js';
import { EVERYONE } from '../../knowledge-bases/access-rules/readable-sql.js';
import { getPrincipals } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { Settings } from '../../knowledge-bases/settings/settings.js';
import { Config } from '../../platform/config/config.js';
import { type DerivedKey, Peppers } from '../../platform/peppers/peppers.js';
import { SealedTexts } from '../../platform/peppers/sealed-texts.js';
import { Problem } from '../../platform/problems/problem.js';

const LIFE_MS = 600_000;
/** Browsers and proxies accept URLs of up to 8 KB. */
const MAX_PAYLOAD_LENGTH = 6000;

/**
 * The holder of a link. When the link is used, it grants no more than what the holder may do at that
 * moment.
 */
export interface LinkClaims {
  /** The API key that requested the link, or that of the client token. */
  readonly key?: string;
  /** The dashboard user who requested the link. */
  readonly user?: string;
  /** The groups of this user, if they have any. */
  readonly groups?: Principals;
  /** The client token's end user, encrypted in the link. */
  readonly endUser?: string | undefined;
  /** The client token's principals, each as a hash, checked against access rules. */
  readonly readers?: string;
  /** The client token's filter, applied in addition to that of its key. */
  readonly filter?: MetadataFilter | undefined;
  /** The expiry, in milliseconds since 1970. */
  readonly end: number;
}

/** Signs and verifies links to originals. Links are not stored. */
@Injectable()
@LinksSources()
export class OriginalLinks implements SourceLinker {
  /** The first key signs; all of them verify. */
  private readonly keys: readonly [DerivedKey, ...DerivedKey[]];
  private readonly endUsers: SealedTexts;
  private readonly base: string;

  constructor(peppers: Peppers, { PUBLIC_URL }: Config) {
    this.keys = peppers.derive('latchkey original link');
    this.endUsers = new SealedTexts(peppers, 'latchkey end user of an original link');
    this.base = `${PUBLIC_URL?.replace(/\/$/, '') ?? ''}/api/v1/documents`;
  }

  /**
   * @param reader the caller who receives the links; they expire with the caller's client token
   * @returns no fields if originals are for members only, or if the caller's groups are too long for a
   *   link
   */
  for(reader: LinkReader, { originals }: Pick<Settings, 'originals'>, now = Date.now()): LinkTo {
    if (originals !== 'readers') return () => ({});
    const token = 'scopes' in reader ? reader.clientToken : undefined;
    const end = Math.min(now + LIFE_MS, token?.expiresAt.getTime() ?? Infinity);
    const claims = { ...this.toClaims(reader), filter: token?.filter, end } satisfies LinkClaims;
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    if (payload.length > MAX_PAYLOAD_LENGTH) return () => ({});
    const expires_at = new Date(end).toISOString();
    return (documentId) => ({
      original_url: `${this.base}/${documentId}/original?link=${payload}.${sign(this.keys[0].key, documentId, payload)}`,
      expires_at,
    });
  }

  /**
   * @param link the query parameter as received
   * @throws Problem `invalid_link`
   */
  verify(link: unknown, documentId: string): LinkClaims {
    const [payload, signature, ...rest] = typeof link === 'string' ? link.split('.') : [];
    if (payload !== undefined && signature !== undefined && rest.length === 0) {
      // Compared as text, because different base64url texts can decode to the same bytes.
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

  private toClaims(reader: LinkReader): Omit<LinkClaims, 'filter' | 'end'> {
    if (!('scopes' in reader)) {
      const { id: user, groups } = reader;
      return { user, ...(groups.length > 0 && { groups }) };
    }
    const { id: key, endUserId, principals } = reader;
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
 * Returns a function that checks whether an entry of an access rule matches the holder of a link.
 *
 * @param ofKey the current principals of the key
 */
export function matchesHolder(
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

/** 64 bits each: a user may be in 500 groups, and a URL is limited to about 8,000 characters. */
const shortHash = (principal: string) => hash('sha256', principal, 'base64url').slice(0, 11);

const sign = (key: KeyObject, documentId: string, payload: string): string =>
  createHmac('sha256', key).update(`${documentId}.${payload}`).digest('base64url');
