import { createHmac, createPublicKey, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, type JWK } from 'jose';
import { Client, outcome } from '../support/client.js';
import { inSeconds, KeyServer, newSigningKey, type SigningKey } from '../support/key-server.js';
import { eventually, Service } from '../support/service.js';

const REFUSED = '401 dashboard_authentication_required';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a forged token', () => {
  let provider: KeyServer;
  /** Serves the forger's key, at addresses that tokens will name. */
  let forger: KeyServer;
  let service: Service;
  let key: SigningKey;
  /** Has the provider's key id, and is not its key. */
  let foreign: SigningKey;
  let publicKey: KeyObject;

  beforeAll(async () => {
    key = await newSigningKey('k1');
    foreign = await newSigningKey('k1');
    publicKey = createPublicKey({ key: key.publicJwk as JWK & { kty: string }, format: 'jwk' });
    provider = await KeyServer.start(key, await newSigningKey('e1', 'ES256'));
    forger = await KeyServer.start(foreign);
    service = await Service.start({
      DASHBOARD_AUTH_MODE: 'oidc',
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: 'latchkey',
      OIDC_AUTHORIZED_PARTIES: 'dashboard, reports',
      CONSOLE_OIDC_CLIENT_ID: 'console',
    });
    await eventually(async () => (await present(await provider.token(key))) === '200');
  });

  afterAll(() => Promise.all([service.stop(), provider.stop(), forger.stop()]));

  const present = async (token: string) =>
    outcome(
      await new Client(service, 'alice').call('GET', '/kbs', undefined, {
        authorization: `Bearer ${token}`,
      }),
    );
  /** The provider's own token, with another header or payload and whatever signature. */
  const unsigned = async (header: object, signature: (input: string) => string) => {
    const [, payload = ''] = (await provider.token(key)).split('.');
    const input = `${encode(header)}.${payload}`;
    return `${input}.${signature(input)}`;
  };
  const hmac = (secret: string | Buffer) => (input: string) =>
    createHmac('sha256', secret).update(input).digest('base64url');

  it('differs from a good one, which is accepted', async () => {
    expect(await present(await provider.token(key))).toBe('200');
    const [, elliptic] = provider.keys;
    expect(elliptic && (await present(await provider.token(elliptic)))).toBe('200');
  });

  it.each(['none', 'None', 'NONE', 'nOnE', ''])('is refused with alg %j', async (alg) => {
    expect(await present(await unsigned({ alg, kid: 'k1' }, () => ''))).toBe(REFUSED);
    expect(await present(await unsigned({ alg, kid: 'k1' }, () => 'AA'))).toBe(REFUSED);
    const [, , signature = ''] = (await provider.token(key)).split('.');
    expect(await present(await unsigned({ alg, kid: 'k1' }, () => signature))).toBe(REFUSED);
  });

  it('is refused with HS256 under the public key in any form', async () => {
    const secrets = [
      publicKey.export({ type: 'spki', format: 'pem' }),
      String(publicKey.export({ type: 'spki', format: 'pem' })).trim(),
      publicKey.export({ type: 'pkcs1', format: 'pem' }),
      publicKey.export({ type: 'spki', format: 'der' }),
      JSON.stringify(key.publicJwk),
      String(key.publicJwk.n),
      Buffer.from(String(key.publicJwk.n), 'base64url'),
      '',
    ];
    for (const secret of secrets) {
      const token = await unsigned({ alg: 'HS256', kid: 'k1', typ: 'JWT' }, hmac(secret));
      expect(await present(token)).toBe(REFUSED);
    }
  });

  it.each(['jwk', 'jku', 'x5u', 'x5c'])('is refused with a key of its own by %s', async (name) => {
    const values: Record<string, unknown> = {
      jwk: await exportJWK(createPublicKey({ key: foreign.publicJwk as never, format: 'jwk' })),
      jku: forger.jwksUrl,
      x5u: forger.jwksUrl,
      x5c: ['MIIB'],
    };
    for (const kid of ['k1', undefined, 'forged']) {
      const header = { [name]: values[name], kid };
      expect(await present(await provider.token(foreign, {}, header))).toBe(REFUSED);
    }
    expect(forger.reads).toBe(0);
  });

  it('is refused under another key with the provider’s key id', async () => {
    expect(await present(await provider.token(foreign))).toBe(REFUSED);
  });

  it.each(['unknown', '', '../k1', 'K1', 'k1\0', `k1' OR '1'='1`])(
    'is refused with the key id %j, even under the right key',
    async (kid) => {
      expect(await present(await provider.token(key, {}, { kid }))).toBe(REFUSED);
    },
  );

  it('is refused with a critical extension that nobody here understands', async () => {
    const header = { alg: 'RS256', kid: 'k1', crit: ['exp'], exp: 1 };
    expect(await present(await unsigned(header, () => 'AA'))).toBe(REFUSED);
  });

  it.each<[string, (issuer: string) => Record<string, unknown>]>([
    ['another issuer', () => ({ iss: 'https://elsewhere.example.com' })],
    ['an issuer that begins alike', (issuer) => ({ iss: `${issuer}.example.com` })],
    ['the issuer and a slash', (issuer) => ({ iss: `${issuer}/` })],
    ['no issuer', () => ({ iss: undefined })],
    ['a list of issuers', (issuer) => ({ iss: [issuer] })],
    ['another audience', () => ({ aud: 'elsewhere' })],
    ['other audiences', () => ({ aud: ['elsewhere', 'latchkey2'] })],
    ['no audience', () => ({ aud: undefined })],
    ['an empty list of audiences', () => ({ aud: [] })],
    ['another user', () => ({ sub: 'bob' })],
    ['no user', () => ({ sub: undefined })],
    ['an empty user', () => ({ sub: '' })],
    ['a list of users', () => ({ sub: ['alice'] })],
    ['no expiry', () => ({ exp: undefined })],
    ['an expiry in words', () => ({ exp: '2999-01-01' })],
    ['an expiry of null', () => ({ exp: null })],
    ['an expiry 40 s ago', () => ({ exp: inSeconds(-40) })],
    ['a start in 60 s', () => ({ nbf: inSeconds(60) })],
    ['a start in words', () => ({ nbf: 'now' })],
  ])('is refused with %s', async (_, claims) => {
    expect(await present(await provider.token(key, claims(provider.issuer)))).toBe(REFUSED);
  });

  it.each(['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'application/jwt', undefined])(
    'is told apart from a good one of the type %s',
    async (typ) => {
      expect(await present(await provider.token(key, {}, { typ }))).toBe('200');
    },
  );

  it.each([
    'logout+jwt',
    'application/logout+jwt',
    'secevent+jwt',
    'id+jwt',
    'at+jwt2',
    'text/at+jwt',
    'JWE',
    '',
  ])('is refused when it is of the type %j', async (typ) => {
    expect(await present(await provider.token(key, {}, { typ }))).toBe(REFUSED);
  });

  it('is refused if it announces a logout, whatever its type', async () => {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    expect(await present(await provider.token(key, { events }))).toBe(REFUSED);
  });

  it.each<[string, Record<string, unknown>]>([
    ['the audience', { azp: 'latchkey' }],
    ['one of OIDC_AUTHORIZED_PARTIES', { azp: 'reports' }],
    ['the client of the console', { azp: 'console' }],
    ['one of them, with several audiences', { azp: 'dashboard', aud: ['other', 'latchkey'] }],
    // RFC 9068 names the client so.
    ['one of them, as client_id', { client_id: 'dashboard', aud: ['latchkey', 'userinfo'] }],
    ['anybody, as client_id, for this service alone', { client_id: 'other' }],
  ])('is not what one for %s is', async (_, claims) => {
    expect(await present(await provider.token(key, claims))).toBe('200');
  });

  it.each<[string, Record<string, unknown>]>([
    ['another application', { azp: 'other' }],
    ['another application, with several audiences', { azp: 'other', aud: ['other', 'latchkey'] }],
    ['another application, as client_id', { client_id: 'other', aud: ['other', 'latchkey'] }],
    ['nobody, with several audiences', { aud: ['other', 'latchkey'] }],
    ['an empty one', { azp: '' }],
    ['a list', { azp: ['dashboard'] }],
    ['null', { azp: null }],
  ])('is refused when it is for %s', async (_, claims) => {
    expect(await present(await provider.token(key, claims))).toBe(REFUSED);
  });

  it('is refused with a claim whose name has an escape', async () => {
    expect(await present(await provider.token(key, { 'a"': 1 }))).toBe(REFUSED);
    expect(await present(await provider.token(key, { größe: 1 }))).toBe('200');
  });

  it('says in the log which application it is for, once', async () => {
    await present(await provider.token(key, { azp: 'unlisted' }));
    await present(await provider.token(key, { azp: 'unlisted' }));
    const lines = service.logs.split('\n').filter((line) => line.includes('unlisted'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('OIDC_AUTHORIZED_PARTIES');
  });

  it.each([
    ['expired 20 s ago', () => ({ exp: inSeconds(-20) })],
    ['valid in 20 s', () => ({ nbf: inSeconds(20) })],
  ])('is not what a token %s is: clocks may differ by 30 s', async (_, claims) => {
    expect(await present(await provider.token(key, claims()))).toBe('200');
  });

  it('is refused when a good one was tampered with', async () => {
    const token = await provider.token(key, { sub: 'bob' });
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const alice = encode({ ...claims, sub: 'alice' });
    const [, , othersSignature = ''] = (await provider.token(key)).split('.');
    for (const forged of [
      `${header}.${alice}.${signature}`,
      `${header}.${alice}.${signature.slice(0, -4)}`,
      `${header}.${payload}.${othersSignature}`,
      `${encode({ alg: 'PS256', kid: 'k1' })}.${alice}.${signature}`,
      `${encode({ alg: 'RS256', kid: 'e1' })}.${alice}.${signature}`,
      `${header}.${encode('alice')}.${signature}`,
      `e30.${alice}.${signature}`,
      `bm90IGpzb24.${alice}.${signature}`,
    ]) {
      expect(await present(forged)).toBe(REFUSED);
    }
  });

  it('is refused without a reason', async () => {
    const tell = async (token: string) => {
      const alice = new Client(service, 'alice');
      const headers = { authorization: `Bearer ${token}` };
      const { body, headers: told } = await alice.call('GET', '/kbs', undefined, headers);
      return { ...body, request_id: '', challenge: told.get('www-authenticate') };
    };
    const expired = await tell(await provider.token(key, { exp: inSeconds(-40) }));
    expect(expired.challenge).toBe('Bearer error="invalid_token"');
    expect(await tell(await provider.token(foreign))).toEqual(expired);
    expect(await tell(await provider.token(key, { sub: 'bob' }))).toEqual(expired);
    expect(await tell(await provider.token(key, {}, { kid: 'unknown' }))).toEqual(expired);
  });
});
