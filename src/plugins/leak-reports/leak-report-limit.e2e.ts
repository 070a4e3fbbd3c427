import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  atOnce,
  Client,
  type IssuedApiKey,
  outcome,
  outcomes,
} from '../../../test/support/client.js';
import { sendRaw } from '../../../test/support/raw-request.js';
import { Service } from '../../../test/support/service.js';

describe('reports of leaked keys', () => {
  let service: Service;
  let key: IssuedApiKey;

  beforeAll(async () => {
    service = await Service.start({ TRUSTED_PROXY_CIDRS: '127.0.0.9' });
    const alice = new Client(service, 'limit-alice');
    key = await alice.createApiKey((await alice.createKnowledgeBase()).id);
  });

  afterAll(() => service.stop());

  const report = (from: string, secret = 'rag_live_nonsense', headers: string[] = []) =>
    sendRaw(
      service,
      'POST /api/v1/leaked-api-keys',
      ['Content-Type: application/json', ...headers],
      JSON.stringify({ api_keys: [secret] }),
      from,
    );

  it('are limited to 60 a minute and address, without affecting other addresses', async () => {
    const first = await report('127.0.0.2');
    expect(first.status).toBe(200);
    expect(first.headers.get('ratelimit-policy')).toBe('"per-address";q=60;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"per-address";r=59;t=\d+$/);

    const answers = await atOnce(70, () => report('127.0.0.2'));
    expect(outcomes(answers)).toEqual({ '200': 59, '429 rate_limited': 11 });
    const refused = await report('127.0.0.2', key.api_key);
    expect(outcome(refused)).toBe('429 rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/^"per-address";r=0;t=\d+$/);

    expect((await report('127.0.0.3')).body).toEqual({
      results: [{ index: 0, status: 'unknown' }],
    });
    expect((await report('127.0.0.3', key.api_key)).body).toEqual({
      results: [{ index: 0, status: 'revoked' }],
    });
  });

  it('count for the client behind a trusted proxy', async () => {
    const through = (client: string) =>
      report('127.0.0.9', undefined, [`X-Forwarded-For: ${client}`]);
    const answers = await atOnce(61, () => through('203.0.113.1'));
    expect(outcomes(answers)).toEqual({ '200': 60, '429 rate_limited': 1 });
    expect((await through('203.0.113.2')).status).toBe(200);
    // A host with IPv6 has a whole /64.
    const within = await atOnce(61, (n) => through(`2001:db8:0:1::${(n + 1).toString(16)}`));
    expect(outcomes(within)).toEqual({ '200': 60, '429 rate_limited': 1 });
    expect((await through('2001:db8:0:1:ffff::1')).status).toBe(429);
    expect((await through('2001:db8:0:2::1')).status).toBe(200);
    expect((await through('::ffff:203.0.113.1')).status).toBe(429);
    expect((await through('::ffff:203.0.113.3')).status).toBe(200);
    // Who is not trusted is counted by the address it has.
    expect((await report('127.0.0.4', undefined, ['X-Forwarded-For: 203.0.113.1'])).status).toBe(
      200,
    );
  });
});
