import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { parseJson } from '@latchkey/text/parse-json';
import { RateLimiter } from '../../api-keys/rate-limiter.js';
import { type Caller, unauthorized } from '../../api-keys/api-key-status.js';
import {
  IsKeyCredential,
  type KeyCredential,
  type KeyDelegation,
} from '../../api-keys/key-credential.js';
import { Config } from '../../platform/config/config.js';
import { type PreparedQuery, prepareQuery } from '../../platform/database/prepared-query.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import { Problem } from '../../platform/problems/problem.js';
import { isOwnOrigin } from './own-origin.js';
import type { SiteState } from './site.entity.js';

const PREFIX = 'rag_visitor_';
/** The claims, and a signature whose last character has no unused bits. */
const TOKEN = /^rag_visitor_([\w-]{1,1000})\.([\w-]{42}[AEIMQUYcgkosw048])$/;
const LIFE_MS = 10 * 60 * 1000;
/** A visit can be continued for so long after its last token has expired. */
const VISIT_MS = 24 * 60 * 60 * 1000;
/** What visitors may do. What asks by other protocols, or only searches, would not count towards the day. */
const ASKING = '/api/v1/chat';
const RATING = '/api/v1/messages/:message_id/feedback';
/** Of one address. */
const REQUESTS_PER_MINUTE = 240;
const SCOPES = ['chat', 'feedback'] as const;
const DAY_SECONDS = 24 * 60 * 60;

interface Claims {
  readonly site: string;
  readonly visitor: string;
  readonly origin: string;
  /** Whether the page is our own, which needs not be among the origins of the site. */
  readonly isOwn?: true;
  /** Seconds since 1970. */
  readonly exp: number;
}

interface SiteRow {
  readonly keyId: string;
  readonly state: SiteState;
  readonly origins: string[] | string;
  readonly perAddressPerDay: number | null;
}

/**
 * The tokens of visitors: signed, not stored, and bound to a site and the origin of a page. What a site allows is read
 * for each request, so that a pause holds from the next one on.
 */
@Injectable()
@IsKeyCredential()
export class VisitorTokens implements KeyCredential {
  private readonly keys: readonly KeyObject[];
  private readonly selectSite: PreparedQuery<SiteRow>;

  constructor(
    peppers: Peppers,
    @InjectDataSource() dataSource: DataSource,
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {
    this.keys = peppers.derive('latchkey visitor token').map(({ key }) => key);
    const id = dataSource.driver.createParameter('0', 0);
    this.selectSite = prepareQuery(
      dataSource,
      `SELECT api_key_id AS "keyId", state, origins, per_address_per_day AS "perAddressPerDay"
       FROM sites WHERE id = ${id}`,
    );
  }

  recognizes(credential: string): boolean {
    return credential.startsWith(PREFIX);
  }

  /** @param visitor whose visit goes on; a new one by default */
  sign(
    { site, origin, isOwn }: Pick<Claims, 'site' | 'origin' | 'isOwn'>,
    visitor = newVisitor(),
  ): { token: string; expiresAt: Date } {
    const [key] = this.keys;
    if (!key) throw new Error('There is no pepper');
    const exp = Math.floor((Date.now() + LIFE_MS) / 1000);
    const claims: Claims = { site, visitor, origin, exp, ...(isOwn && { isOwn }) };
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const signature = hmac(key, payload).toString('base64url');
    return { token: `${PREFIX}${payload}.${signature}`, expiresAt: new Date(exp * 1000) };
  }

  /** The visitor whose visit goes on; undefined for a token of another site or origin, or of another day. */
  findVisitor(token: string | undefined, site: string, origin: string): string | undefined {
    const claims = token === undefined ? undefined : this.read(token);
    return claims?.site === site &&
      claims.origin === origin &&
      claims.exp * 1000 + VISIT_MS > Date.now()
      ? claims.visitor
      : undefined;
  }

  /** @throws Problem `invalid_api_key`, `client_token_expired`, `origin_not_allowed`, `site_paused`, `insufficient_scope` or `rate_limited` */
  async verify(credential: string, { origin, ip, path, exchange }: Caller): Promise<KeyDelegation> {
    const claims = this.read(credential);
    if (!claims) throw unauthorized('invalid_api_key');
    const expiresAt = new Date(claims.exp * 1000);
    if (expiresAt.getTime() <= Date.now()) throw unauthorized('client_token_expired');
    const [site] = await this.selectSite([claims.site]);
    if (!site) throw unauthorized('invalid_api_key');
    // A page could have got the token by a program, which names any host; its own requests name ours.
    const isAllowed = claims.isOwn
      ? exchange && isOwnOrigin(this.config, claims.origin, exchange.request)
      : parsed(site.origins).includes(claims.origin);
    if (origin !== claims.origin || !isAllowed) throw new Problem('origin_not_allowed');
    if (site.state === 'paused') throw new Problem('site_paused');
    if (path !== ASKING && path !== RATING) throw new Problem('insufficient_scope');
    // Requests that are refused count for the key too, whose minute is everybody's.
    await this.limiter.consumeForAddress(`requests ${claims.site}`, ip, REQUESTS_PER_MINUTE);
    if (site.perAddressPerDay !== null && path === ASKING) {
      const operation = `questions ${claims.site}`;
      await this.limiter.consumeForAddress(operation, ip, site.perAddressPerDay, DAY_SECONDS);
    }
    return {
      keyId: site.keyId,
      endUserId: claims.visitor,
      principals: [],
      scopes: SCOPES,
      isOwnPage: claims.isOwn === true,
      hasLowEffort: true,
      filter: undefined,
      allowedOrigins: [claims.origin],
      expiresAt,
    };
  }

  private read(token: string): Claims | undefined {
    const [, payload = '', signature = ''] = TOKEN.exec(token) ?? [];
    const given = Buffer.from(signature, 'base64url');
    const isOurs = this.keys.some((key) => {
      const expected = hmac(key, payload);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    // The signature proves that this service wrote the claims, so their types are not checked.
    return isOurs ? (parseJson(Buffer.from(payload, 'base64url').toString()) as Claims) : undefined;
  }
}

const newVisitor = () => `visitor-${randomBytes(12).toString('base64url')}`;

const hmac = (key: KeyObject, payload: string) =>
  createHmac('sha256', key).update(payload).digest();

/** SQLite returns JSON as text. */
const parsed = (json: string[] | string): string[] =>
  typeof json === 'string' ? (parseJson(json) as string[]) : json;
