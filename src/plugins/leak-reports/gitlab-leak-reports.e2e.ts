import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AuditEvent,
  Client,
  type IssuedApiKey,
  outcome,
  type Page,
} from '../../../test/support/client.js';
import { furnish } from '../../../test/support/furnish.js';
import type { SharedService } from '../../../test/support/shared-service.js';

const URL = 'https://gitlab.com/shop/site/~/raw/1a2b/config.env';

describe('a leak report in GitLab’s form', () => {
  let service: SharedService;
  let second: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ service, second, alice, partner, kbId } = await furnish());
  });

  const report = (body: unknown) => partner.post('/leaked-api-keys/gitlab', body);
  const leak = ({ api_key: token }: Pick<IssuedApiKey, 'api_key'>, more: object = {}) => ({
    ...{ type: 'gitleaks_rule_id_latchkey', token, url: URL },
    ...more,
  });
  const events = async ({ id }: IssuedApiKey) =>
    (await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events?limit=100`)).body.data.filter(
      ({ action, target_id: target }) => action === 'api_key.reported_as_leaked' && target === id,
    );

  it('revokes its keys at once in every process, and keeps where they were found', async () => {
    const key = await alice.createApiKey(kbId);
    const other = await alice.createApiKey(kbId);
    const answer = await report([
      leak(key),
      leak({ api_key: `rag_live_${'x'.repeat(48)}` }),
      leak(other, { url: undefined, location: URL }),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      results: ['revoked', 'unknown', 'revoked'].map((status, index) => ({ index, status })),
    });
    for (const client of [partner, new Client(second)]) {
      for (const { api_key: secret } of [key, other]) {
        expect(outcome(await client.query(secret, 'x'))).toBe('401 api_key_revoked');
      }
    }
    for (const one of [key, other]) {
      expect(await events(one)).toMatchObject([
        { details: { reported_by: 'gitlab', type: 'gitleaks_rule_id_latchkey', url: URL } },
      ]);
    }
    expect(service.logs).not.toContain(key.api_key.slice(-30));
  });

  it('may be sent again', async () => {
    const key = await alice.createApiKey(kbId);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await report([leak(key, { type: null, url: null })])).status).toBe(200);
    }
    expect(await events(key)).toHaveLength(1);
  });

  it.each([
    ['no list', { token: 'x' }],
    ['too many leaks', Array.from({ length: 1001 }, () => ({ token: 'x' }))],
    ['a leak without a secret', [{ type: 'x' }]],
    ['a secret that is no text', [{ token: 1 }]],
  ])('is refused with %s', async (_, body) => {
    expect(outcome(await report(body))).toBe('400 validation_failed');
  });
});
