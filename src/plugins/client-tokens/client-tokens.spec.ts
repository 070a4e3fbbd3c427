import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { Config } from '../../platform/config/config.js';
import type { Problem } from '../../platform/problems/problem.js';
import { ClientTokens } from './client-tokens.js';
import { Peppers } from '../../platform/peppers/peppers.js';

const newPepper = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const tokensOf = (...peppers: string[]) =>
  new ClientTokens(Peppers.load(Config.fromEnvironment({ API_KEY_PEPPERS: peppers.join(',') })));

const CLAIMS = {
  keyId: 'key_1',
  endUserId: 'customer-1',
  principals: ['user:customer-1', 'group:Vertrieb, Süd'],
  scopes: ['query'],
  filter: { type: 'eq', key: 'language', value: 'de' },
  allowedOrigins: ['https://shop.example.com'],
} as const;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);

const codeOf = async (tokens: ClientTokens, token: string) =>
  tokens.verify(token).then(
    () => 'valid',
    (error: unknown) => (error as Problem).code,
  );

describe(ClientTokens.name, () => {
  const first = newPepper('first');

  it('tells again what was signed', async () => {
    const tokens = tokensOf(first);
    const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000);
    const token = await tokens.sign(CLAIMS, expiresAt);
    expect(ClientTokens.isToken(token)).toBe(true);
    expect(await tokens.verify(token)).toEqual({ ...CLAIMS, expiresAt });
  });

  it('never speaks for its key: one that names no principals is refused', async () => {
    const tokens = tokensOf(first);
    const { principals, ...claims } = CLAIMS;
    expect(principals).toHaveLength(2);
    const token = await tokens.sign(claims as typeof CLAIMS, inSeconds(60));
    expect(await codeOf(tokens, token)).toBe('invalid_api_key');
  });

  it('ends', async () => {
    const tokens = tokensOf(first);
    expect(await codeOf(tokens, await tokens.sign(CLAIMS, inSeconds(-1)))).toBe(
      'client_token_expired',
    );
  });

  it('goes on under a previous pepper, and ends with it', async () => {
    const token = await tokensOf(first).sign(CLAIMS, inSeconds(60));
    const second = newPepper('second');
    expect(await codeOf(tokensOf(second, first), token)).toBe('valid');
    expect(await codeOf(tokensOf(second), token)).toBe('invalid_api_key');
    expect(await codeOf(tokensOf(newPepper('first')), token)).toBe('invalid_api_key');
  });

  it('refuses every other text', async () => {
    const tokens = tokensOf(first);
    const token = await tokens.sign(CLAIMS, inSeconds(60));
    for (let index = 'rag_client_'.length; index < token.length; index++) {
      for (const other of ['A', 'B', 'Z', 'a', '0', '-', '_', '.', '=']) {
        if (token[index] === other) continue;
        const forged = token.slice(0, index) + other + token.slice(index + 1);
        expect([forged, await codeOf(tokens, forged)]).toEqual([forged, 'invalid_api_key']);
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
      expect(await codeOf(tokens, `rag_client_${await sign(header)}`)).toBe('invalid_api_key');
    }
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(await codeOf(tokens, `rag_client_${none}.e30.`)).toBe('invalid_api_key');
  });
});
