import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { altered, LEAKED_KEY, withChecksum } from '../support/api-key-secret.js';
import {
  type Answer,
  type ApiKey,
  type ApiKeyUsage,
  atOnce,
  type AuditEvent,
  Client,
  type IssuedApiKey,
  outcome,
  type Page,
  type Problem,
} from '../support/client.js';
import { runCommand } from '../support/command.js';
import { Service } from '../support/service.js';

interface Report {
  results: { index: number; status: string }[];
}

describe('a leaked API key', () => {
  let service: Service;
  let alice: Client;
  let anyone: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await Service.start();
    alice = new Client(service, 'alice');
    anyone = new Client(service);
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  afterAll(() => service.stop());

  const report = (...api_keys: unknown[]) => anyone.post<Report>('/leaked-api-keys', { api_keys });
  const verdicts = async (...api_keys: unknown[]) => {
    const { status, body } = await report(...api_keys);
    expect(status).toBe(200);
    expect(body.results.map(({ index }) => index)).toEqual(api_keys.map((_, index) => index));
    return body.results.map((result) => result.status);
  };
  const use = async (key: IssuedApiKey) => outcome(await anyone.query(key.api_key, 'Anything?'));
  const get = async ({ id }: ApiKey) => (await alice.get<ApiKey>(`/api-keys/${id}`)).body;
  const events = async () =>
    (await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events`)).body.data.filter(
      ({ action }) => action === 'api_key.reported_as_leaked',
    );
  const forged = ({ prefix }: ApiKey) => withChecksum(prefix + 'z'.repeat(32));
  const inCommand = (text: string) =>
    runCommand('plugins/leak-reports/leak-report.command.js', service.environment, text);

  it('is revoked at once by whoever reports it, with an audit event', async () => {
    const [leaked, other] = [await alice.createApiKey(kbId), await alice.createApiKey(kbId)];
    expect(await use(leaked)).toBe('200');
    const answer = await report(leaked.api_key);
    expect(answer.body).toEqual({ results: [{ index: 0, status: 'revoked' }] });
    expect([await use(leaked), await use(other)]).toEqual(['401 api_key_revoked', '200']);
    const { revoked_at, ...shown } = await get(leaked);
    expect(shown).toMatchObject({
      active: false,
      state: 'deactivated',
      revoked_by: 'leak-report',
    });
    expect(revoked_at).toMatch(/Z$/);
    expect(await events()).toEqual([
      expect.objectContaining({
        actor: 'leak-report',
        target_id: leaked.id,
        request_id: answer.headers.get('x-request-id'),
        details: { prefix: leaked.prefix },
      }),
    ]);
    expect(answer.text).not.toMatch(LEAKED_KEY);
  });

  it('is reported as revoked once, later as already revoked, with one audit event', async () => {
    const [key, byHand] = [await alice.createApiKey(kbId), await alice.createApiKey(kbId)];
    await alice.call('PATCH', `/api-keys/${byHand.id}/revoke`);
    expect(await verdicts(key.api_key, key.api_key)).toEqual(['revoked', 'already_revoked']);
    const before = [await get(key), await get(byHand)];
    expect(await verdicts(byHand.api_key, key.api_key)).toEqual([
      'already_revoked',
      'already_revoked',
    ]);
    expect([await get(key), await get(byHand)]).toEqual(before);
    expect(await events()).toHaveLength(1);
  });

  it('is revoked once when reported ten times at once', async () => {
    const { api_key: secret } = await alice.createApiKey(kbId);
    const told = (await atOnce(10, () => verdicts(secret))).flat();
    expect(told.sort()).toEqual([...Array<string>(9).fill('already_revoked'), 'revoked']);
    expect(await events()).toHaveLength(1);
  });

  it('must be genuine: a forged, altered or invented one is unknown', async () => {
    const key = await alice.createApiKey(kbId);
    const deleted = await alice.createApiKey(kbId);
    await alice.call('DELETE', `/api-keys/${deleted.id}`);
    const texts = [
      forged(key),
      altered(key.api_key, 30),
      key.prefix,
      key.id,
      key.api_key.replace('live', 'test'),
      ` ${key.api_key}`,
      `${key.api_key}\n`,
      withChecksum(`rag_live_${'q'.repeat(42)}`),
      deleted.api_key,
      '',
      '\0',
      '\ud800',
      "' OR 1=1 --",
      'x'.repeat(50_000),
    ];
    expect(await verdicts(...texts)).toEqual(texts.map(() => 'unknown'));
    expect(await use(key)).toBe('200');
    expect(await events()).toEqual([]);
  });

  it('is revoked among a hundred, whatever its limits', async () => {
    const expires_at = '2099-01-01T00:00:00Z';
    const bound = { expires_at, allowed_ips: ['192.0.2.1'], rate_limit_per_minute: 1 };
    const key = await alice.createApiKey(kbId, bound);
    const old = await alice.createApiKey(kbId);
    await alice.post(`/api-keys/${old.id}/rotate`, { grace_period_seconds: 0 });
    const many = Array.from({ length: 98 }, (_, n) => `rag_live_${n}`);
    const told = await verdicts(...many, key.api_key, old.api_key);
    expect(told.slice(-2)).toEqual(['revoked', 'revoked']);
    expect(await use(key)).toBe('401 api_key_revoked');
  });

  it('is not counted as used by being reported', async () => {
    const key = await alice.createApiKey(kbId);
    await verdicts(key.api_key);
    await verdicts(key.api_key);
    const { body } = await alice.get<ApiKeyUsage>(`/api-keys/${key.id}/usage`);
    expect(body).toMatchObject({ requests_24h: 0, last_used_at: null, safe_to_revoke: true });
    expect(body.refused_uses_since_revoked).toBe(0);
  });

  it.each([
    ['nothing', undefined],
    ['null', 'null'],
    ['an empty object', {}],
    ['an empty list', { api_keys: [] }],
    ['a string', { api_keys: 'rag_live_x' }],
    ['a number in the list', { api_keys: ['x', 1] }],
    ['null in the list', { api_keys: [null] }],
    ['a list in the list', { api_keys: [['x']] }],
    ['101 entries', { api_keys: Array<string>(101).fill('x') }],
    ['an unknown field', { api_keys: ['x'], url: 'https://example.com' }],
    ['half a body', '{"api_keys":["'],
  ])('is not looked for in %s', async (_, body) => {
    const answer: Answer<Problem> = await anyone.call('POST', '/leaked-api-keys', body);
    expect(outcome(answer)).toBe('400 validation_failed');
  });

  it('is not revoked by a report that is refused', async () => {
    const key = await alice.createApiKey(kbId);
    expect(outcome(await report(key.api_key, 1))).toBe('400 validation_failed');
    expect(outcome(await report(...Array<string>(101).fill(key.api_key)))).toBe(
      '400 validation_failed',
    );
    expect(await use(key)).toBe('200');
  });

  describe('in a text that the command reads', () => {
    it('is revoked wherever it stands, and printed by its prefix alone', async () => {
      const [one, two, gone, safe] = [
        await alice.createApiKey(kbId),
        await alice.createApiKey(kbId, { environment: 'test' }),
        await alice.createApiKey(kbId),
        await alice.createApiKey(kbId),
      ];
      await alice.call('PATCH', `/api-keys/${gone.id}/revoke`);
      const text = [
        `{"api_key":"${one.api_key}"}, again: \\n${one.api_key}_`,
        `LATCHKEY_KEY=${two.api_key}\r\n+ "${gone.api_key}" ${forged(safe)}`,
        `${safe.api_key}9 ${safe.prefix} \0\ufffd`,
      ].join('\n');
      const { code, output } = await inCommand(text);
      expect(code).toBe(0);
      expect(output.trim().split('\n')).toEqual([
        `${one.prefix}…  revoked`,
        `${two.prefix}…  revoked`,
        `${gone.prefix}…  already_revoked`,
        `${safe.prefix}…  unknown`,
        '4 found',
      ]);
      const results = [await use(one), await use(two), await use(safe)];
      expect(results).toEqual(['401 api_key_revoked', '401 api_key_revoked', '200']);
      const found = await events();
      expect(found.map(({ target_id }) => target_id).sort()).toEqual([one.id, two.id].sort());
      expect(new Set(found.map(({ request_id }) => request_id)).size).toBe(1);
    });

    it.each(['', 'Nothing to see here.'])('may be missing: %j', async (text) => {
      expect(await inCommand(text)).toEqual({ code: 0, output: '0 found\n' });
    });
  });
});
