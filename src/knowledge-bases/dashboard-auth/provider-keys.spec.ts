import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ProviderKeys } from './provider-keys.js';

const ISSUER = 'https://login.example.org';
const HEADER = { alg: 'RS256', kid: 'one' };
const TOKEN = { payload: '', signature: '' };

describe(ProviderKeys, () => {
  const log = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  afterAll(() => {
    log.mockRestore();
  });

  const large = ' '.repeat(513 * 1024);

  it.each([
    ['discovery', undefined, `${large}{"issuer": "${ISSUER}", "jwks_uri": "${ISSUER}/keys"}`],
    ['keys', `${ISSUER}/keys`, `${large}{"keys": []}`],
  ])('read no larger %s than a provider has', async (_name, jwksUrl, body) => {
    const keys = new ProviderKeys({ issuer: ISSUER, jwksUrl }, () =>
      Promise.resolve(new Response(body)),
    );
    await expect(keys.get(HEADER, TOKEN)).rejects.toMatchObject({
      code: 'identity_provider_unavailable',
    });
    expect(String(log.mock.lastCall)).toContain('more than 524288 bytes');
  });
});
