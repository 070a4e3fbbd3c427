import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LEAKED_KEY } from '../support/api-key-secret.js';
import {
  type Answer,
  type ApiKey,
  Client,
  outcome,
  type Page,
  type Problem,
} from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

describe('an API key', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  it.each(
    [
      [],
      '192.0.2.10',
      {},
      true,
      Array.from({ length: 101 }, (_, n) => `192.0.2.${n}`),
      [''],
      [null],
      [1],
      [['192.0.2.1']],
      ['192.0.2.256'],
      ['192.0.2'],
      ['010.0.0.1'],
      ['192.0.2.0/33'],
      ['192.0.2.0/'],
      ['192.0.2.0/-1'],
      ['192.0.2.0/1e1'],
      ['192.0.2.0/24/8'],
      ['192.0.2.0/255.255.255.0'],
      ['2001:db8::/129'],
      ['2001:db8::g'],
      ['fe80::1%eth0'],
      ['[::1]'],
      ['192.0.2.1-192.0.2.9'],
      ['192.0.2.*'],
      [' 192.0.2.1'],
      ['192.0.2.1\n'],
      ['192.0.2.1', 'example.com'],
      ['*'],
    ].map((bad) => [JSON.stringify(bad).slice(0, 40), bad] as const),
  )('is neither made nor changed with allowed_ips %s', async (_, allowed_ips) => {
    const { api_key: secret, ...key } = await alice.createApiKey(kbId);
    const answers = [
      await alice.post(`/kbs/${kbId}/api-keys`, { name: 'x', environment: 'live', allowed_ips }),
      await alice.call('PATCH', `/api-keys/${key.id}`, { allowed_ips }),
    ] as Answer<Problem>[];
    for (const answer of answers) {
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(answer.body.errors?.map(({ field }) => field)).toEqual(['allowed_ips']);
    }
    const { body } = await alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys`);
    expect([body.data, LEAKED_KEY.test(secret)]).toEqual([[key], true]);
  });
});
