import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { GithubSigningKeys } from './github-signing-keys.js';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const key = publicKey.export({ type: 'spki', format: 'pem' });

describe(GithubSigningKeys, () => {
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  let body = '';
  const server = createServer((_request, response) => response.end(body));
  let config: Config;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    config = { GITHUB_SECRET_SCANNING_KEYS_URL: `http://127.0.0.1:${port}/` } as Config;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const listOf = (count: number) =>
    JSON.stringify({
      public_keys: Array.from({ length: count }, (_, index) => ({
        key_identifier: `k${index}`,
        key,
      })),
    });
  const get = () => new GithubSigningKeys(config).get('k0');

  it('are read', async () => {
    body = listOf(100);
    expect(await get()).toBeDefined();
  });

  it.each([
    ['too many', listOf(101)],
    ['too large', ' '.repeat(256 * 1024) + listOf(1)],
  ])('are not read when they are %s', async (_name, sent) => {
    body = sent;
    await expect(get()).rejects.toMatchObject({ code: 'signing_keys_unavailable' });
  });
});
