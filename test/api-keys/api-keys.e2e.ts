import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { altered, LEAKED_KEY, withChecksum } from '../support/api-key-secret.js';
import { type ApiKey, Client, type IssuedApiKey, outcome, type Page } from '../support/client.js';
import { eventually } from '../support/service.js';
import { furnish } from '../support/furnish.js';
import { type SharedService } from '../support/shared-service.js';
import { databaseTime, sql } from '../support/sql.js';

describe('API keys', () => {
  const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

  let service: SharedService;
  let userId: string;
  let alice: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ service, userId, alice, partner } = await furnish());
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const create = (body: unknown) => alice.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, body);
  const get = async (id: string) => (await alice.get<ApiKey>(`/api-keys/${id}`)).body;
  const list = async (search = '') =>
    (await alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys${search}`)).body;
  const patch = (id: string, body: unknown) => alice.call<ApiKey>('PATCH', `/api-keys/${id}`, body);
  const revoke = (id: string) => alice.call<object>('PATCH', `/api-keys/${id}/revoke`);
  const remove = (id: string) => alice.call<object>('DELETE', `/api-keys/${id}`);
  const use = async (key: IssuedApiKey) => outcome(await partner.query(key.api_key, 'Anything?'));

  it('are created with the full secret, shown this once', async () => {
    const answer = await create({ name: 'Shop backend', environment: 'live' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { api_key: secret, ...shown } = answer.body;
    expect(secret).toMatch(LEAKED_KEY);
    expect(secret).toMatch(/^rag_live_[0-9A-Za-z]{48}$/);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      kb_id: kbId,
      service_account_id: null,
      name: 'Shop backend',
      description: null,
      environment: 'live',
      prefix: secret.slice(0, 'rag_live_'.length + 10),
      active: true,
      state: 'active',
      last_used_at: null,
      created_at: expect.stringMatching(INSTANT),
      created_by: userId,
      expires_at: null,
      revoked_at: null,
      revoked_by: null,
      rate_limit_per_minute: null,
      rate_limit_per_end_user: null,
      budget: null,
      allowed_ips: null,
      scopes: ['query', 'chat', 'feedback'],
      filter: null,
      kbs: [{ kb_id: kbId, scopes: ['query', 'chat', 'feedback'], filter: null }],
      principals: [],
      self_rotation: null,
      sender_constraint: null,
      rotated_from: null,
      rotated_to: null,
      policy_violations: [],
    });
    expect(await get(shown.id)).toEqual(shown);
    expect((await list()).data).toEqual([shown]);
  });

  it('show their secret in no other answer', async () => {
    const { id, api_key: secret } = await alice.createApiKey(kbId);
    const answers = [
      await alice.get(`/api-keys/${id}`),
      await alice.get(`/kbs/${kbId}/api-keys`),
      await patch(id, { name: 'Renamed' }),
      await alice.get(`/api-keys/${id}/usage`),
      await alice.get(`/kbs/${kbId}/audit-events`),
      await revoke(id),
      await create({ name: secret.repeat(2), environment: secret }),
      await remove(id),
    ];
    const hashes = /\$2[aby]\$|secret_hash|fast_hash|pepper/;
    for (const { text } of answers) {
      expect(text).not.toContain(secret.slice(-38));
      expect(text).not.toMatch(hashes);
    }
  });

  it('take every optional field', async () => {
    const body = {
      name: 'CI',
      environment: 'test',
      description: 'Nightly run',
      expires_at: '2099-12-31T23:59:59+02:00',
      rate_limit_per_minute: 600,
      allowed_ips: ['127.0.0.1', '2001:db8::/32'],
      principals: ['group:Vertrieb, Süd', 'user:anna'],
    };
    const { status, body: key } = await create(body);
    expect(status).toBe(201);
    expect(key).toMatchObject({ ...body, expires_at: '2099-12-31T21:59:59.000Z', active: true });
    expect(key.api_key).toMatch(/^rag_test_/);
    expect(await use(key)).toBe('200');
    const none = {
      description: null,
      expires_at: null,
      rate_limit_per_minute: null,
      allowed_ips: null,
    };
    expect((await create({ ...body, ...none })).body).toMatchObject(none);
  });

  it('are listed newest first and filtered by activity and environment', async () => {
    const live = await alice.createApiKey(kbId);
    const test = await alice.createApiKey(kbId, { environment: 'test' });
    const revoked = await alice.createApiKey(kbId);
    const expired = await alice.createApiKey(kbId, { environment: 'test' });
    await sql(
      service.environment,
      `UPDATE api_keys SET expires_at = ${databaseTime(-1)} WHERE id = '${expired.id}'`,
    );
    await revoke(revoked.id);
    expect((await get(expired.id)).active).toBe(false);

    const ids = async (search: string) => (await list(search)).data.map(({ id }) => id);
    expect(await ids('')).toEqual([expired.id, revoked.id, test.id, live.id]);
    expect(await ids('?active=true')).toEqual([test.id, live.id]);
    expect(await ids('?active=false')).toEqual([expired.id, revoked.id]);
    expect(await ids('?environment=live')).toEqual([revoked.id, live.id]);
    expect(await ids('?environment=test&active=true')).toEqual([test.id]);
    expect((await list('?active=false&limit=1')).total).toBe(2);
  });

  it('change field by field, and the secret stays the same', async () => {
    const { api_key: secret, ...key } = await alice.createApiKey(kbId, { description: 'Old' });
    const soon = '2098-01-01T00:00:00.000Z';
    const steps: [change: object, result: object][] = [
      [{ name: ' New ' }, { name: 'New' }],
      [{ description: 'Two' }, { description: 'Two' }],
      [{ description: null }, { description: null }],
      [{ expires_at: soon }, { expires_at: soon }],
      [{ expires_at: null }, { expires_at: null }],
      [{ rate_limit_per_minute: 5 }, { rate_limit_per_minute: 5 }],
      [{ rate_limit_per_minute: null }, { rate_limit_per_minute: null }],
      [{ allowed_ips: ['::1'] }, { allowed_ips: ['::1'] }],
      [{ allowed_ips: null }, { allowed_ips: null }],
      [{}, {}],
    ];
    let expected: ApiKey = key;
    for (const [change, result] of steps) {
      expected = { ...expected, ...result };
      const answer = await patch(key.id, change);
      expect([answer.status, answer.body]).toEqual([200, expected]);
      expect(await get(key.id)).toEqual(expected);
    }
    expect(await use({ ...key, api_key: secret })).toBe('200');
  });

  it('are revoked once: a repetition answers the same and changes nothing', async () => {
    const { id } = await alice.createApiKey(kbId);
    const first = await revoke(id);
    expect([first.status, first.body]).toEqual([200, { success: true }]);
    const revoked = await get(id);
    expect(revoked).toMatchObject({ active: false, state: 'deactivated', revoked_by: userId });
    expect(revoked.revoked_at).toMatch(INSTANT);

    const again = await revoke(id);
    expect([again.status, again.body]).toEqual([200, { success: true }]);
    expect(await get(id)).toEqual(revoked);
  });

  it('are never reactivated after a revoke', async () => {
    const key = await alice.createApiKey(kbId);
    await revoke(key.id);
    await patch(key.id, { expires_at: '2099-01-01T00:00:00Z', name: 'Alive?' });
    expect(await get(key.id)).toMatchObject({ active: false, state: 'deactivated' });
    expect(await use(key)).toBe('401 api_key_revoked');
  });

  it.each(['active', 'revoked'])('are deleted for good when %s', async (state) => {
    const { id } = await alice.createApiKey(kbId);
    if (state === 'revoked') await revoke(id);
    const answer = await remove(id);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await list()).total).toBe(0);
    const afterwards = [
      await alice.get(`/api-keys/${id}`),
      await patch(id, { name: 'Back' }),
      await revoke(id),
      await remove(id),
    ];
    expect(afterwards.map(outcome)).toEqual(afterwards.map(() => '404 not_found'));
  });

  it('show their last use: at once the first time, then within seconds', async () => {
    const key = await alice.createApiKey(kbId);
    expect(await use(key)).toBe('200');
    const { last_used_at: first } = await get(key.id);
    expect(first).toMatch(INSTANT);
    await use(key);
    await eventually(async () => ((await get(key.id)).last_used_at ?? '') > (first ?? ''));
  });

  it('do not count a refused request as a use', async () => {
    const [used, unused, witness] = [
      await alice.createApiKey(kbId),
      await alice.createApiKey(kbId),
      await alice.createApiKey(kbId),
    ];
    await use(used);
    const { last_used_at: lastUse } = await get(used.id);
    await revoke(used.id);
    await revoke(unused.id);
    await use(witness);
    const { last_used_at: before } = await get(witness.id);

    expect(await use(used)).toBe('401 api_key_revoked');
    expect(await use(unused)).toBe('401 api_key_revoked');
    // Uses are written down in turns: when this later one is told, the refused would be, too.
    await use(witness);
    await eventually(async () => (await get(witness.id)).last_used_at !== before);
    expect((await get(used.id)).last_used_at).toBe(lastUse);
    expect((await get(unused.id)).last_used_at).toBeNull();
  });
});

describe('the list of API keys, searched', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;
  let keys: IssuedApiKey[];

  beforeAll(async () => {
    ({ service, alice, kbId } = await furnish());
    keys = [
      await alice.createApiKey(kbId, { name: 'Shop backend' }),
      await alice.createApiKey(kbId, { name: 'shop app', environment: 'test' }),
      await alice.createApiKey(kbId, { name: '100% of_it \\' }),
    ];
  });

  const search = (q: string, more = '') =>
    alice.get<Page<ApiKey>>(`/kbs/${kbId}/api-keys?q=${encodeURIComponent(q)}${more}`);
  const found = async (q: string, more?: string) =>
    (await search(q, more)).body.data.map(({ name }) => name);

  it.each([
    ['shop', ['shop app', 'Shop backend']],
    ['BACK', ['Shop backend']],
    ['%', ['100% of_it \\']],
    ['f_i', ['100% of_it \\']],
    ['\\', ['100% of_it \\']],
    ["' OR 1=1 --", []],
    ['rag_test_', ['shop app']],
  ])('has what contains %j in its name or prefix', async (q, names) => {
    expect(await found(q)).toEqual(names);
  });

  it('is searched together with its filters, page by page', async () => {
    expect(await found('shop', '&environment=live&active=true')).toEqual(['Shop backend']);
    const { body } = await search('shop', '&limit=1');
    expect(body).toMatchObject({ total: 2, has_more: true, data: [{ name: 'shop app' }] });
    expect(await found('shop', `&limit=1&cursor=${String(body.next_cursor)}`)).toEqual([
      'Shop backend',
    ]);
  });

  it('finds a key by any part of its prefix', async () => {
    for (const { prefix, name } of keys) {
      expect(await found(prefix)).toEqual([name]);
      expect(await found(prefix.slice(9))).toEqual([name]);
    }
  });

  it('takes only the prefix of a key that is pasted as a whole, and keeps it out of log and answer', async () => {
    for (const { api_key: secret, name } of keys) {
      for (const q of [secret, ` ${secret}\n`, `Authorization: Bearer ${secret}`]) {
        const answer = await search(q);
        expect(answer.body.data.map((key) => key.name)).toEqual([name]);
        expect(answer.text).not.toContain(secret.slice(-20));
      }
      // The secret proves nothing here: with another end it finds the same.
      expect(await found(`${secret.slice(0, -20)}${'x'.repeat(20)}`)).toEqual([name]);
      expect(service.logs).not.toContain(secret.slice(-20));
    }
    const refused = await search(`${'x'.repeat(250)}${keys[0]?.api_key ?? ''}`);
    expect(outcome(refused)).toBe('400 validation_failed');
    expect(refused.text).not.toContain(keys[0]?.api_key.slice(-20));
  });

  it.each(['', 'x'.repeat(256), '%00'])('refuses %j', async (q) => {
    const answer = await alice.get(`/kbs/${kbId}/api-keys?q=${q}`);
    expect(outcome(answer)).toBe('400 validation_failed');
  });
});

describe('the API key in the body', () => {
  const MESSAGE = 'How long may customers return an order?';
  const UNKNOWN = withChecksum(`rag_live_${'Ab3'.repeat(14)}`);

  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let key: IssuedApiKey;

  beforeAll(async () => {
    ({ service, alice, partner, kbId } = await furnish());
    key = await alice.createApiKey(kbId);
  });

  const use = async (secret: unknown) => outcome(await partner.query(secret, MESSAGE));
  const revoke = ({ id }: ApiKey) => alice.call('PATCH', `/api-keys/${id}/revoke`);
  const remove = ({ id }: ApiKey) => alice.call('DELETE', `/api-keys/${id}`);

  describe.each(['/query', '/chat'])('on %s', (path) => {
    it('is accepted alone, without a header', async () => {
      const answer = await partner.post(path, { api_key: key.api_key, message: MESSAGE });
      expect(outcome(answer)).toBe('200');
    });

    it.each([
      ['a missing key', { message: MESSAGE }],
      ['null', { api_key: null, message: MESSAGE }],
      ['a number', { api_key: 4711, message: MESSAGE }],
      ['true', { api_key: true, message: MESSAGE }],
      ['an object', { api_key: { $ne: null }, message: MESSAGE }],
      ['an empty string', { api_key: '', message: MESSAGE }],
      ['an empty array for a body', []],
      ['an array with a body in it', [{ api_key: UNKNOWN, message: MESSAGE }]],
      ['a string for a body', JSON.stringify(UNKNOWN)],
      ['a number for a body', '4711'],
      ['null for a body', 'null'],
      ['no body', undefined],
      ['an empty body', ''],
      ['only a bad message', { message: 4711, unknown_field: 1 }],
    ])('answers api_key_required to %s', async (_, body) => {
      const answer = await partner.call('POST', path, body);
      expect(outcome(answer)).toBe('401 api_key_required');
      expect(answer.headers.get('www-authenticate')).toMatch(/^ApiKey /);
    });

    it('answers api_key_required to a good key in an array', async () => {
      const answer = await partner.post(path, { api_key: [key.api_key], message: MESSAGE });
      expect(outcome(answer)).toBe('401 api_key_required');
    });

    it.each([
      ['another word', () => 'open sesame'],
      ['60 kB of text', () => 'x'.repeat(60_000)],
      ['60 kB behind a good beginning', () => key.api_key + 'x'.repeat(60_000)],
      ['its prefix alone', () => key.prefix],
      ['a wrong checksum', () => altered(key.api_key, -1)],
      ['one wrong character', () => altered(key.api_key, 30)],
      ['an unknown key, well-formed', () => UNKNOWN],
      [
        'its lookup id before a forged secret, well-formed',
        () => withChecksum(key.prefix + 'z'.repeat(32)),
      ],
      ['the other environment', () => key.api_key.replace('rag_live_', 'rag_test_')],
      [
        'the other environment, well-formed',
        () => withChecksum(key.api_key.slice(0, -6).replace('rag_live_', 'rag_test_')),
      ],
      ['another case', () => key.api_key.toUpperCase()],
      ['white space within it', () => key.api_key.replace('rag_live_', 'rag_live_ ')],
      ['NUL behind it', () => `${key.api_key}\0`],
      ['half a surrogate pair', () => '\ud800'],
      ['the key’s id', () => key.id],
      ['SQL', () => "' OR '1'='1"],
    ])('answers invalid_api_key to %s', async (_, secret) => {
      const answer = await partner.post(path, { api_key: secret(), message: MESSAGE });
      expect(outcome(answer)).toBe('401 invalid_api_key');
      expect(answer.headers.get('www-authenticate')).toMatch(/^ApiKey /);
    });

    it('is not looked for in other headers or in the address', async () => {
      const secret = key.api_key;
      const body = { message: MESSAGE };
      const answers = [
        await partner.post(path, body, { authorization: `ApiKey ${secret}` }),
        await partner.post(path, body, { 'x-api-key': secret, 'api-key': secret }),
        await partner.post(path, body, { cookie: `api_key=${secret}` }),
        await partner.post(`${path}?api_key=${secret}`, body),
      ];
      expect(answers.map(outcome)).toEqual(answers.map(() => '401 api_key_required'));
    });

    it('cannot be replaced by a dashboard user, nor disturbed by one', async () => {
      expect(outcome(await alice.post(path, { message: MESSAGE }))).toBe('401 api_key_required');
      const stranger = new Client(service, 'not a user id, at all');
      const answer = await stranger.post(path, { api_key: key.api_key, message: MESSAGE });
      expect(outcome(answer)).toBe('200');
    });

    it('is asked for before the rest of the body is looked at', async () => {
      const body = { api_key: UNKNOWN, message: 4711, unknown_field: 1 };
      expect(outcome(await partner.post(path, body))).toBe('401 invalid_api_key');
      const good = { ...body, api_key: key.api_key };
      expect(outcome(await partner.post(path, good))).toBe('400 validation_failed');
    });
  });

  it('is answered by the very same bytes when malformed, unknown, forged or deleted', async () => {
    const deleted = await alice.createApiKey(kbId);
    await remove(deleted);
    const gone = await alice.createKnowledgeBase();
    const orphan = await alice.createApiKey(gone.id);
    await alice.call('DELETE', `/kbs/${gone.id}`);
    const secrets = [
      'open sesame',
      altered(key.api_key, -1),
      UNKNOWN,
      withChecksum(key.prefix + 'z'.repeat(32)),
      deleted.api_key,
      orphan.api_key,
    ];
    const answers = await Promise.all(
      secrets.map((api_key) =>
        partner.post('/query', { api_key, message: MESSAGE }, { 'x-request-id': 'same' }),
      ),
    );
    const seen = answers.map(({ status, text, headers }) => {
      const told = [...headers].filter(([name]) => name !== 'date');
      return JSON.stringify([status, text, told]);
    });
    expect(seen[0]).toContain('invalid_api_key');
    expect(new Set(seen).size).toBe(1);
  });

  it('is refused as revoked from the moment the revoke was answered', async () => {
    for (let round = 0; round < 10; round++) {
      const short = await alice.createApiKey(kbId);
      expect(await use(short.api_key)).toBe('200');
      expect(outcome(await revoke(short))).toBe('200');
      const after = await Promise.all(Array.from({ length: 20 }, () => use(short.api_key)));
      expect(new Set(after)).toEqual(new Set(['401 api_key_revoked']));
    }
  });

  it('is refused as invalid from the moment the delete was answered', async () => {
    const short = await alice.createApiKey(kbId);
    expect(await use(short.api_key)).toBe('200');
    expect(outcome(await remove(short))).toBe('200');
    expect(await use(short.api_key)).toBe('401 invalid_api_key');
  });

  it('is refused as invalid when it was revoked first and deleted then', async () => {
    const short = await alice.createApiKey(kbId);
    await revoke(short);
    await remove(short);
    expect(await use(short.api_key)).toBe('401 invalid_api_key');
  });

  it('is refused once it has expired, and taken again when the expiry is moved', async () => {
    const short = await alice.createApiKey(kbId);
    await sql(
      service.environment,
      `UPDATE api_keys SET expires_at = ${databaseTime()} WHERE id = '${short.id}'`,
    );
    expect(await use(short.api_key)).toBe('401 api_key_expired');
    const expired = await alice.get<ApiKey>(`/api-keys/${short.id}`);
    expect(expired.body).toMatchObject({ active: false, state: 'active' });

    await alice.call('PATCH', `/api-keys/${short.id}`, { expires_at: null });
    expect(await use(short.api_key)).toBe('200');
  });

  it('stops working with its knowledge base', async () => {
    const kb = await alice.createKnowledgeBase();
    const own = await alice.createApiKey(kb.id);
    expect(await use(own.api_key)).toBe('200');
    expect(outcome(await alice.call('DELETE', `/kbs/${kb.id}`))).toBe('200');
    expect(await use(own.api_key)).toBe('401 invalid_api_key');
  });

  it('is never locked out by wrong keys from the same address', async () => {
    await Promise.all(Array.from({ length: 200 }, () => use(UNKNOWN)));
    expect(await use(key.api_key)).toBe('200');
  });
});
