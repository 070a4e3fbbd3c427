import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JWK } from 'jose';
import { Client, outcome } from '../support/client.js';
import { KeyServer, newSigningKey, type SigningKey } from '../support/key-server.js';
import { eventually, Service } from '../support/service.js';

/** A key of the provider's that no library would sign with. */
function weak(like: SigningKey, kid: string): SigningKey {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK;
  return { ...like, kid, publicJwk: { ...publicJwk, kid, alg: 'RS256' } };
}

describe('a key of the provider that is too weak', () => {
  let provider: KeyServer;
  let service: Service;
  let key: SigningKey;

  beforeAll(async () => {
    key = await newSigningKey('strong');
    provider = await KeyServer.start(key, weak(key, 'weak'));
    service = await Service.start({
      DASHBOARD_AUTH_MODE: 'oidc',
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: 'latchkey',
    });
    await eventually(async () => (await present('strong')) === '200');
  });

  afterAll(() => Promise.all([service.stop(), provider.stop()]));

  const present = async (kid: string) =>
    outcome(
      await new Client(service, 'alice').call('GET', '/kbs', undefined, {
        authorization: `Bearer ${await provider.token(key, {}, { kid })}`,
      }),
    );

  it('authenticates nobody, and its neighbours go on', async () => {
    expect(await present('weak')).toBe('401 dashboard_authentication_required');
    expect(await present('strong')).toBe('200');
  });
});
