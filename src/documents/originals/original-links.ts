import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Filter } from '@latchkey/ranking/metadata-filter';
import { parseJson } from '@latchkey/text/parse-json';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { EVERYONE, type Principals } from '../../knowledge-bases/access-rules/principals.js';
import {
  type DashboardUser,
  principalsOf,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { Settings } from '../../knowledge-bases/settings/settings.js';
import { Config } from '../../platform/config/config.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import { Problem } from '../../platform/problems/problem.js';
import type { FoundPassageDto } from '../search/passage.dto.js';

const LIFE_MS = 600_000;
/** Browsers and proxies take addresses of 8 KB. */
const MAX_PAYLOAD_LENGTH = 6000;
/** Tells the end users of a key apart. */
const HASH_LENGTH = 16;

/** For whom a link opens an original: it may do no more than they may at that moment. */
export interface LinkClaims {
  /** The API key that asked, or that of the client token. */
  readonly key?: string;
  /** The dashboard user who asked. */
  readonly user?: string;
  /** Of this user, where they have any. */
  readonly groups?: Principals;
  /** A hash of the client token's end user. */
  readonly endUser?: string;
  /** Of the client token: its principals, each as a hash, for the rules of documents. */
  readonly readers?: string;
  /** Of the client token, in addition to the filter of its key. */
  readonly filter?: Filter | undefined;
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
  private readonly keys: readonly [KeyObject, ...KeyObject[]];
  private readonly base: string;

  constructor(peppers: Peppers, { PUBLIC_URL }: Config) {
    const [current, ...previous] = peppers.derive('latchkey original link');
    this.keys = [current.key, ...previous.map(({ key }) => key)];
    this.base = `${PUBLIC_URL?.replace(/\/$/, '') ?? ''}/api/v1/documents`;
  }

  /** @param asker who gets the links, which end with them */
  for(asker: Asker, { originals }: Pick<Settings, 'originals'>, now = Date.now()): LinkTo {
    if (originals !== 'readers') return () => ({});
    const token = 'scopes' in asker ? asker.clientToken : undefined;
    const end = Math.min(now + LIFE_MS, token?.expiresAt.getTime() ?? Infinity);
    const claims = { ...whose(asker), filter: token?.filter, end } satisfies LinkClaims;
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    if (payload.length > MAX_PAYLOAD_LENGTH) return () => ({});
    const expires_at = new Date(end).toISOString();
    return (documentId) => ({
      original_url: `${this.base}/${documentId}/original?link=${payload}.${sign(this.keys[0], documentId, payload)}`,
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
      const isSigned = this.keys.some((key) => {
        const expected = Buffer.from(sign(key, documentId, payload));
        return expected.length === given.length && timingSafeEqual(expected, given);
      });
      if (isSigned) {
        const claims = parseJson(Buffer.from(payload, 'base64url').toString()) as LinkClaims;
        if (claims.end > Date.now()) return claims;
      }
    }
    throw new Problem('invalid_link', { headers: { 'www-authenticate': 'Link realm="api"' } });
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
  const names = new Set(user === undefined ? ofKey : principalsOf({ id: user, groups }));
  const isTheirs = (entry: string) =>
    readers === undefined ? names.has(entry) : hashes.has(shortHash(entry));
  return (entry) => entry === EVERYONE || isTheirs(entry);
}

/** 64 bits each, since somebody may be in 500 groups, and an address may have some 8,000 characters. */
const shortHash = (principal: string) => hash('sha256', principal, 'base64url').slice(0, 11);

function whose(asker: Asker): Pick<LinkClaims, 'key' | 'user' | 'groups' | 'endUser' | 'readers'> {
  if (!('scopes' in asker)) {
    const { id: user, groups } = asker;
    return { user, ...(groups.length > 0 && { groups }) };
  }
  const { id: key, endUserId, principals } = asker;
  if (endUserId === undefined) return { key };
  const endUser = hash('sha256', endUserId, 'base64url').slice(0, HASH_LENGTH);
  return { key, endUser, readers: principals.map(shortHash).join('') };
}

const sign = (key: KeyObject, documentId: string, payload: string): string =>
  createHmac('sha256', key).update(`${documentId}.${payload}`).digest('base64url');
