import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LEAKED_KEY } from '../support/api-key-secret.js';
import {
  type Answer,
  type ApiKey,
  type ApiKeyUsage,
  Client,
  type IssuedApiKey,
  outcome,
  type Page,
  type Problem,
} from '../support/client.js';
import { sendRaw } from '../support/raw-request.js';
import { eventually, Service } from '../support/service.js';
import { furnish } from '../support/furnish.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

describe('API keys', () => {
  const BOB = newUserId('bob');

  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ alice } = await furnish());
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
    ])('answer 400 for %s %s, name the field and create nothing', async (field, _, body) => {
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
    ])('answer 400 for %s as or in the body, and create nothing', async (_, body) => {
      expect(outcome(await create(body))).toBe('400 validation_failed');
      expect((await list()).total).toBe(0);
    });

    it('name every bad field at once', async () => {
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

describe('an API key', () => {
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ alice } = await furnish());
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
  )('is neither created nor changed with allowed_ips %s', async (_, allowed_ips) => {
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

describe('an API key with allowed_ips', () => {
  const REFUSED = '403 ip_not_allowed';

  /** Three services with the same keys: behind a proxy, asked directly, and on an IPv6 socket. */
  let behindProxy: Service;
  let direct: SharedService;
  let dualStack: Service;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    direct = await sharedService();
    behindProxy = await Service.start({
      ...direct.environment,
      TRUSTED_PROXY_CIDRS: '127.0.0.1, 10.0.0.0/8, fd00::/8',
    });
    dualStack = await Service.start({
      ...direct.environment,
      HOST: '::',
      DASHBOARD_AUTH_MODE: 'trust',
      DASHBOARD_AUTH_TRUST_UNSAFE: 'yes',
    });
    alice = new Client(direct, newUserId('alice'));
    kbId = (await alice.createKnowledgeBase()).id;
  });

  afterAll(() => Promise.all([behindProxy.stop(), dualStack.stop()]));

  // One knowledge base holds 100 keys; these tests need more.
  const keyFor = async (...allowed_ips: string[]) =>
    alice.createApiKey((await alice.createKnowledgeBase()).id, { allowed_ips });
  const use = async (service: Pick<Service, 'url'>, key: IssuedApiKey, headers = {}) =>
    outcome(
      await new Client(service).post('/query', { api_key: key.api_key, message: 'Hi' }, headers),
    );
  const useFrom = (addresses: string, key: IssuedApiKey) =>
    use(behindProxy, key, { 'x-forwarded-for': addresses });

  it.each<[allowed: string, yes: string[], no: string[]]>([
    ['192.0.2.10', ['192.0.2.10', '::ffff:192.0.2.10', '::FFFF:c000:20a'], ['192.0.2.11']],
    ['::ffff:192.0.2.10', ['192.0.2.10', '::ffff:192.0.2.10'], ['192.0.2.11', '::192.0.2.10']],
    ['::ffff:c000:20a', ['192.0.2.10'], ['192.0.2.11']],
    ['0:0:0:0:0:ffff:192.0.2.10', ['192.0.2.10'], ['192.0.2.11']],
    ['192.0.2.10/32', ['192.0.2.10'], ['192.0.2.11']],
    ['192.0.2.0/24', ['192.0.2.0', '192.0.2.255', '::ffff:192.0.2.9'], ['192.0.1.255', '::1']],
    ['192.0.2.77/24', ['192.0.2.1'], ['192.0.3.77']],
    ['192.0.2.128/25', ['192.0.2.128'], ['192.0.2.127']],
    ['::ffff:192.0.2.0/120', ['192.0.2.77'], ['192.0.3.77', '::1']],
    ['::ffff:c000:200/120', ['192.0.2.77'], ['192.0.3.77']],
    ['0.0.0.0/0', ['192.0.2.1', '255.255.255.255'], ['2001:db8::1']],
    ['2001:db8::1', ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1'], ['2001:db8::2', '192.0.2.1']],
    ['2001:db8::/32', ['2001:db8:ffff:1::1'], ['2001:db9::1']],
    ['2001:db8::/127', ['2001:db8::', '2001:db8::1'], ['2001:db8::2']],
    ['::1', ['::1'], ['0.0.0.1', '::ffff:0.0.0.1', '::2']],
  ])('with %s is open to %j and to nobody else', async (allowed, yes, no) => {
    const key = await keyFor(allowed);
    for (const address of yes) {
      expect([address, await useFrom(address, key)]).toEqual([address, '200']);
    }
    for (const address of no) {
      expect([address, await useFrom(address, key)]).toEqual([address, REFUSED]);
    }
  });

  it('is open to each address on the list', async () => {
    const key = await keyFor('192.0.2.10', '2001:db8::/32', '198.51.100.0/24');
    for (const address of ['192.0.2.10', '2001:db8::7', '198.51.100.9']) {
      expect(await useFrom(address, key)).toBe('200');
    }
    expect(await useFrom('192.0.2.9', key)).toBe(REFUSED);
  });

  it('uses the address of the socket alone if no proxy is trusted', async () => {
    const [local, remote] = [await keyFor('127.0.0.1'), await keyFor('192.0.2.10')];
    const forged = {
      'x-forwarded-for': '192.0.2.10',
      'x-real-ip': '192.0.2.10',
      'x-client-ip': '192.0.2.10',
      forwarded: 'for=192.0.2.10',
    };
    expect(await use(direct, local)).toBe('200');
    expect(await use(direct, local, forged)).toBe('200');
    expect(await use(direct, remote, forged)).toBe(REFUSED);
  });

  it('takes a peer of an IPv6 socket for the IPv4 address that it is', async () => {
    expect(await use(dualStack, await keyFor('127.0.0.1'))).toBe('200');
    expect(await use(dualStack, await keyFor('127.0.0.2'))).toBe(REFUSED);
  });

  it('believes X-Forwarded-For alone, of all that a proxy may pass on', async () => {
    const key = await keyFor('192.0.2.10');
    const forged = { 'x-real-ip': '192.0.2.10', forwarded: 'for=192.0.2.10' };
    expect(await use(behindProxy, key, forged)).toBe(REFUSED);
    expect(await use(behindProxy, await keyFor('127.0.0.1'), forged)).toBe('200');
  });

  it.each([
    ['192.0.2.10', '200'],
    ['203.0.113.5, 192.0.2.10', '200'],
    ['192.0.2.10, 10.1.2.3', '200'],
    ['192.0.2.10,10.1.2.3,fd00::1, ::ffff:10.0.0.9', '200'],
    ['unknown, 192.0.2.10', '200'],
    // What the client itself claims stands first.
    ['192.0.2.10, 203.0.113.5', REFUSED],
    ['192.0.2.10, 203.0.113.5, 10.1.2.3', REFUSED],
    ['192.0.2.10, unknown', REFUSED],
    ['192.0.2.10, unknown, 10.1.2.3', REFUSED],
    ['10.1.2.3', REFUSED],
  ])('takes the last entry that is no trusted proxy: %s → %s', async (header, expected) => {
    expect(await useFrom(header, await keyFor('192.0.2.10'))).toBe(expected);
  });

  it('reads several header lines as one list', async () => {
    const { api_key } = await keyFor('192.0.2.10');
    const send = (...addresses: string[]) =>
      sendRaw(
        behindProxy,
        'POST /api/v1/query',
        ['Content-Type: application/json', ...addresses.map((ip) => `X-Forwarded-For: ${ip}`)],
        JSON.stringify({ api_key, message: 'Hi' }),
      );
    expect(outcome(await send('203.0.113.5', '192.0.2.10'))).toBe('200');
    expect(outcome(await send('192.0.2.10', '203.0.113.5'))).toBe(REFUSED);
  });

  it.each([
    '',
    ',',
    ' , ,',
    'unknown',
    '_hidden',
    '192.0.2',
    '192.0.2.010',
    '192.0.2.256',
    '192.0.2.10/32',
    '[2001:db8::1]',
    '192.0.2.10:x',
    'fe80::1%eth0',
    '3221225994',
    '<script>',
    'é',
    '1'.repeat(8000),
  ])('is closed to an invalid address, without an error: %s', async (header) => {
    expect(await useFrom(header, await keyFor('192.0.2.10', '2001:db8::1'))).toBe(REFUSED);
    expect(await useFrom(header, await alice.createApiKey(kbId))).toBe('200');
  });

  it('ignores the zone of an address', async () => {
    expect(await useFrom('fe80::1%eth0', await keyFor('fe80::/64'))).toBe('200');
  });

  it('is rate limited correctly whatever the header says', async () => {
    const [garbled, plain] = [await keyFor('0.0.0.0/0', '::/0'), await alice.createApiKey(kbId)];
    const noise = Array.from({ length: 8000 }, () => Math.random().toString(36).at(-1)).join('');
    expect(await useFrom(noise, plain)).toBe('200');
    expect(await useFrom('192.0.2.1', garbled)).toBe('200');
    expect(await useFrom('192.0.2.2', plain)).toBe('200');
    const usage = async ({ id }: ApiKey) =>
      (await alice.get<ApiKeyUsage>(`/api-keys/${id}/usage`)).body;
    await eventually(async () => (await usage(plain)).requests_24h === 2);
    expect(await usage(garbled)).toMatchObject({ requests_24h: 1, last_ip: '192.0.2.1' });
    expect((await usage(plain)).last_ip).toBe('192.0.2.2');
  });

  it('is not counted as used by a refused request', async () => {
    const key = await keyFor('192.0.2.10');
    expect(await useFrom('192.0.2.11', key)).toBe(REFUSED);
    const { last_used_at } = (await alice.get<ApiKey>(`/api-keys/${key.id}`)).body;
    expect(last_used_at).toBeNull();
  });

  it('reveals nothing about a key to an address without its secret', async () => {
    const key = await keyFor('192.0.2.10');
    const wrong = { ...key, api_key: key.api_key.replace('rag_live', 'rag_test') };
    expect(await useFrom('192.0.2.11', wrong)).toBe('401 invalid_api_key');
  });

  it('opens and closes at once when the list is changed', async () => {
    const key = await alice.createApiKey(kbId);
    const change = (allowed_ips: string[] | null) =>
      alice.call<ApiKey>('PATCH', `/api-keys/${key.id}`, { allowed_ips });
    expect(await useFrom('192.0.2.1', key)).toBe('200');
    expect((await change(['2001:db8::/32'])).body.allowed_ips).toEqual(['2001:db8::/32']);
    expect(await useFrom('192.0.2.1', key)).toBe(REFUSED);
    expect((await change(null)).body.allowed_ips).toBeNull();
    expect(await useFrom('192.0.2.1', key)).toBe('200');
  });
});
