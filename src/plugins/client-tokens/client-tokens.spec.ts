import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { jwtVerify, SignJWT } from 'jose';
import { Config } from '../../platform/config/config.js';
import type { Problem } from '../../platform/problems/problem.js';
import { ClientTokens } from './client-tokens.js';
import { Peppers } from '../../platform/peppers/peppers.js';

const newPepper = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const loadPeppers = (...peppers: string[]) =>
  Peppers.load(Config.fromEnvironment({ API_KEY_PEPPERS: peppers.join(',') }));
const tokensOf = (...peppers: string[]) => new ClientTokens(loadPeppers(...peppers));

const CLAIMS = {
  keyId: 'key_1',
  endUserId: 'customer-1',
  principals: ['user:customer-1', 'group:Vertrieb, Süd'],
  scopes: ['query'],
  filter: { type: 'eq', key: 'language', value: 'de' },
  allowedOrigins: ['https://shop.example.com'],
} as const;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

function codeOf(tokens: ClientTokens, token: string): string {
  try {
    tokens.verify(token);
    return 'valid';
  } catch (error) {
    return (error as Problem).code;
  }
}

describe(ClientTokens.name, () => {
  const first = newPepper('first');

  it('tells again what was signed', () => {
    const tokens = tokensOf(first);
    const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000);
    const token = tokens.sign(CLAIMS, expiresAt);
    expect(ClientTokens.isToken(token)).toBe(true);
    expect(tokens.verify(token)).toEqual({ ...CLAIMS, expiresAt });
  });

  it('is a JSON Web Token, as others make and verify them', async () => {
    const [{ key }] = loadPeppers(first).derive('latchkey client token');
    const { endUserId, keyId, allowedOrigins, ...claims } = CLAIMS;
    const jwt = new SignJWT({ ...claims, origins: allowedOrigins, key: keyId })
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .setAudience('latchkey-client')
      .setSubject(endUserId)
      .setExpirationTime('1h');
    expect(tokensOf(first).verify(`rag_client_${await jwt.sign(key)}`)).toMatchObject(CLAIMS);
    const token = tokensOf(first).sign(CLAIMS, inSeconds(60));
    const { payload } = await jwtVerify(token.slice('rag_client_'.length), key, {
      audience: 'latchkey-client',
    });
    expect(payload).toMatchObject({ key: keyId, sub: endUserId, scopes: ['query'] });
  });

  it('never speaks for its key: one that names no principals is refused', () => {
    const tokens = tokensOf(first);
    const { principals, ...claims } = CLAIMS;
    expect(principals).toHaveLength(2);
    const token = tokens.sign(claims as typeof CLAIMS, inSeconds(60));
    expect(codeOf(tokens, token)).toBe('invalid_api_key');
  });

  it('ends', () => {
    const tokens = tokensOf(first);
    expect(codeOf(tokens, tokens.sign(CLAIMS, inSeconds(-1)))).toBe('client_token_expired');
  });

  it('goes on under a previous pepper, and ends with it', () => {
    const token = tokensOf(first).sign(CLAIMS, inSeconds(60));
    const second = newPepper('second');
    expect(codeOf(tokensOf(second, first), token)).toBe('valid');
    expect(codeOf(tokensOf(second), token)).toBe('invalid_api_key');
    expect(codeOf(tokensOf(newPepper('first')), token)).toBe('invalid_api_key');
  });

  it('refuses every other text', () => {
    const tokens = tokensOf(first);
    const token = tokens.sign(CLAIMS, inSeconds(60));
    for (let index = 'rag_client_'.length; index < token.length; index++) {
      for (const other of ['A', 'B', 'Z', 'a', '0', '-', '_', '.', '=']) {
        if (token[index] === other) continue;
        const forged = token.slice(0, index) + other + token.slice(index + 1);
        expect([forged, codeOf(tokens, forged)]).toEqual([forged, 'invalid_api_key']);
      }
    }
  });

  it('refuses tokens that are signed otherwise', async () => {
    const tokens = tokensOf(first);
    const sign = (header: object) =>
      new SignJWT({ key: 'key_1', scopes: ['query'] })
        .setProtectedHeader({ alg: 'HS256', ...header })
        .setSubject('customer-1')
        .setExpirationTime('1h')
        .sign(randomBytes(32));
    for (const header of [{}, { kid: 'first' }, { kid: 'second' }]) {
      expect(codeOf(tokens, `rag_client_${await sign(header)}`)).toBe('invalid_api_key');
    }
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(codeOf(tokens, `rag_client_${none}.e30.`)).toBe('invalid_api_key');
  });
});
