import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  type ApiKey,
  Client,
  type IssuedApiKey,
  outcome,
  type Page,
  type Problem,
} from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const BOB = newUserId('bob');

describe('API keys', () => {
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

  const create = (body: unknown) => alice.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, body);
  const get = async (id: string) => (await alice.get<ApiKey>(`/api-keys/${id}`)).body;
  const list = async () => (await alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys`)).body;
  const patch = (id: string, body: unknown) => alice.call<ApiKey>('PATCH', `/api-keys/${id}`, body);

  it('have names of 1 to 100 characters, trimmed, counted in code points', async () => {
    const named = async (name: string) => {
      const { status, body } = await create({ name, environment: 'live' });
      return status === 201 ? body.name : status;
    };
    expect(await named('  Shop \t\n')).toBe('Shop');
    expect(await named('x')).toBe('x');
    expect(await named('x'.repeat(100))).toBe('x'.repeat(100));
    expect(await named('🔑'.repeat(100))).toBe('🔑'.repeat(100));
    expect(await named(` ${'x'.repeat(100)} `)).toBe('x'.repeat(100));
    expect(await named('x'.repeat(101))).toBe(400);
    expect(await named('🔑'.repeat(101))).toBe(400);
    expect(await named('✔\ufe0f'.repeat(100))).toBe(400);
    expect(await named('   ')).toBe(400);
  });

  describe('with bad input', () => {
    const good = { name: 'Shop backend', environment: 'live' };

    it.each<[field: string, what: string, body: unknown]>([
      ['name', 'missing', { environment: 'live' }],
      ['name', 'null', { ...good, name: null }],
      ['name', 'empty', { ...good, name: '' }],
      ['name', 'a number', { ...good, name: 1 }],
      ['name', 'an array', { ...good, name: ['Shop'] }],
      ['name', 'an object', { ...good, name: { length: 5 } }],
      ['name', 'NUL', { ...good, name: 'a\0b' }],
      ['name', 'half a surrogate pair', { ...good, name: 'a\ud83d' }],
      ['environment', 'missing', { name: 'Shop' }],
      ['environment', 'null', { ...good, environment: null }],
      ['environment', 'unknown', { ...good, environment: 'prod' }],
      ['environment', 'in capitals', { ...good, environment: 'LIVE' }],
      ['environment', 'an array', { ...good, environment: ['live'] }],
      ['description', 'a number', { ...good, description: 1 }],
      ['description', 'too long', { ...good, description: 'x'.repeat(1001) }],
      ['expires_at', 'past', { ...good, expires_at: '2020-01-01T00:00:00Z' }],
      ['expires_at', 'without a time zone', { ...good, expires_at: '2099-01-01T00:00:00' }],
      ['expires_at', 'a date alone', { ...good, expires_at: '2099-01-01' }],
      ['expires_at', 'a number', { ...good, expires_at: 4070908800000 }],
      ['expires_at', 'nonsense', { ...good, expires_at: 'tomorrow' }],
      ['expires_at', 'in month 13', { ...good, expires_at: '2099-13-01T00:00:00Z' }],
      ['expires_at', 'on 30 February', { ...good, expires_at: '2099-02-30T00:00:00Z' }],
      ['expires_at', 'in year 10000', { ...good, expires_at: '+010000-01-01T00:00:00Z' }],
      ['id', 'given', { ...good, id: 'key_01kafdp6ygf4rs4s2cr5cvzwkc' }],
      ['state', 'given', { ...good, state: 'active' }],
      ['created_at', 'given', { ...good, created_at: '2020-01-01T00:00:00Z' }],
      ['created_by', 'given', { ...good, created_by: BOB }],
      ['kb_id', 'given', { ...good, kb_id: 'kb_01kafdp6ygf4rs4s2cr5cvzwkc' }],
      ['rotated_to', 'given', { ...good, rotated_to: null }],
      ['last_used_at', 'given', { ...good, last_used_at: null }],
      ['rate_limit_per_minute', '0', { ...good, rate_limit_per_minute: 0 }],
      ['rate_limit_per_minute', 'negative', { ...good, rate_limit_per_minute: -1 }],
      ['rate_limit_per_minute', 'broken', { ...good, rate_limit_per_minute: 1.5 }],
      ['rate_limit_per_minute', 'over a million', { ...good, rate_limit_per_minute: 1_000_001 }],
      ['rate_limit_per_minute', 'text', { ...good, rate_limit_per_minute: '60' }],
      ['rate_limit_per_minute', 'true', { ...good, rate_limit_per_minute: true }],
      ['api_key', 'given', { ...good, api_key: 'rag_live_mine' }],
      ['secretHash', 'given', { ...good, secretHash: 'mine' }],
    ])('%s %s: answers 400, names the field and creates nothing', async (field, _, body) => {
      const answer = (await create(body)) as unknown as Answer<Problem>;
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(answer.body.errors?.map((error) => error.field)).toEqual([field]);
      expect((await list()).total).toBe(0);
    });

    it.each([
      ['__proto__', '{"name":"Shop","environment":"live","__proto__":{"state":"deactivated"}}'],
      ['constructor.prototype', '{"name":"S","constructor":{"prototype":{"environment":"live"}}}'],
      ['an array', JSON.stringify([good])],
      ['a string', '"Shop"'],
      ['null', 'null'],
      ['nothing', ''],
    ])('%s as or in the body answers 400 and creates nothing', async (_, body) => {
      expect(outcome(await create(body))).toBe('400 validation_failed');
      expect((await list()).total).toBe(0);
    });

    it('names every bad field at once', async () => {
      const answer = await create({ name: '', environment: 'prod', colour: 'red' });
      const { errors } = answer.body as unknown as Problem;
      expect(errors?.map(({ field }) => field).sort()).toEqual(['colour', 'environment', 'name']);
    });
  });

  it.each(['?active=yes', '?active=', '?active=1', '?environment=prod', '?environment=', '?key=1'])(
    'are not listed by the bad filter %s',
    async (search) => {
      const answer = await alice.get(`/kbs/${kbId}/api-keys${search}`);
      expect(outcome(answer)).toBe('400 validation_failed');
    },
  );

  it.each<[what: string, body: unknown]>([
    ['a null name', { name: null }],
    ['a blank name', { name: '  ' }],
    ['a past expiry', { expires_at: '2020-01-01T00:00:00Z' }],
    ['another state', { state: 'active' }],
    ['another environment', { environment: 'live' }],
    ['another prefix', { prefix: 'rag_live_aaaaaaaaaa' }],
    ['another knowledge base', { kb_id: 'kb_01kafdp6ygf4rs4s2cr5cvzwkc' }],
    ['a last use', { last_used_at: null }],
    ['a successor', { rotated_to: null }],
    ['a limit of 0', { rate_limit_per_minute: 0 }],
    ['a limit over a million', { rate_limit_per_minute: 1_000_001 }],
    ['a good field and a bad one', { name: 'Changed', revoked_at: null }],
    ['__proto__', '{"__proto__":{"name":"Changed"}}'],
  ])('do not change by %s', async (_, body) => {
    const { api_key: secret, ...key } = await alice.createApiKey(kbId, { environment: 'test' });
    expect(outcome(await patch(key.id, body))).toBe('400 validation_failed');
    expect(await get(key.id)).toEqual(key);
    expect(secret).toMatch(/^rag_test_/);
  });
});
