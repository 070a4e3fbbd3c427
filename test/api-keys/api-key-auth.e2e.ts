import { beforeAll, describe, expect, it } from '@jest/globals';
import { altered, withChecksum } from '../support/api-key-secret.js';
import { type ApiKey, Client, type IssuedApiKey, outcome } from '../support/client.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const MESSAGE = 'How long may customers return an order?';
const UNKNOWN = withChecksum(`rag_live_${'Ab3'.repeat(14)}`);

describe('the API key in the body', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let key: IssuedApiKey;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
    key = await alice.createApiKey(kbId);
  });

  const use = async (secret: unknown) => outcome(await partner.query(secret, MESSAGE));
  const revoke = ({ id }: ApiKey) => alice.call('PATCH', `/api-keys/${id}/revoke`);
  const remove = ({ id }: ApiKey) => alice.call('DELETE', `/api-keys/${id}`);

  describe.each(['/query', '/chat'])('on %s', (path) => {
    it('opens the door alone, with no header', async () => {
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
      ['white space around it', () => ` ${key.api_key}\n`],
      ['a line feed behind it', () => `${key.api_key}\n`],
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
    const soon = new Date(Date.now() + 5000).toISOString();
    const short = await alice.createApiKey(kbId, { expires_at: soon });
    await eventually(async () => (await use(short.api_key)) === '401 api_key_expired');
    const expired = await alice.get<ApiKey>(`/api-keys/${short.id}`);
    expect(expired.body).toMatchObject({ active: false, state: 'active' });

    await alice.call('PATCH', `/api-keys/${short.id}`, { expires_at: null });
    expect(await use(short.api_key)).toBe('200');
  });

  it('stops with its knowledge base', async () => {
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
