import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type KnowledgeBase, outcome, type Problem } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const ALICE = newUserId('alice');

const MIB = 1024 * 1024;

describe('a body', () => {
  let service: SharedService;
  let alice: Client;
  let kb: KnowledgeBase;
  let secret: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, ALICE);
    kb = await alice.createKnowledgeBase();
    const scopes = ['query', 'chat', 'feedback', 'documents:write'];
    secret = (await alice.createApiKey(kb.id, { scopes })).api_key;
  });

  const post = (body: unknown, headers?: Record<string, string>) =>
    alice.post<Problem>('/kbs', body, headers);
  /** A document whose body is nested `depth` deep. */
  const nested = (depth: number, text: string) =>
    alice.post(
      `/kbs/${kb.id}/documents`,
      `{"title":"Deep","text":${JSON.stringify(text)},"metadata":${'{"a":'.repeat(depth - 1)}1${'}'.repeat(depth)}`,
    );

  const nestedIn = async (metadata: string) => {
    const text = `A text beside ${metadata.slice(0, 20)} of ${metadata.length}.`;
    const body = `{"title":"Fields","text":${JSON.stringify(text)},"metadata":${metadata}}`;
    return outcome(await alice.post(`/kbs/${kb.id}/documents`, body));
  };
  const form = async (metadata: string) => {
    const body = new FormData();
    body.append('file', new Blob([`A file beside metadata of ${metadata.length}.`]), 'a.txt');
    body.append('metadata', metadata);
    const response = await fetch(`${service.url}/api/v1/kbs/${kb.id}/documents`, {
      method: 'POST',
      headers: { 'x-idp-user-id': ALICE },
      body,
    });
    if (response.status < 400) return String(response.status);
    return `${response.status} ${((await response.json()) as Problem).code}`;
  };
  /** JSON of that many bytes. */
  const sized = (bytes: number) => `{"name":"${'x'.repeat(bytes - '{"name":""}'.length)}"}`;

  it.each([
    ['/kbs', 'of the dashboard', '400 validation_failed'],
    ['/ingest/documents/large', 'a Bearer', '400 validation_failed'],
    ['/../../v1/chat/completions', 'a Bearer', '400 validation_failed'],
    ['/leaked-api-keys/github', 'a signature', '401 invalid_signature'],
  ])('is read up to 1 MiB on %s, which has %s', async (path, credential, whenRead) => {
    const method = path.startsWith('/ingest') ? 'PUT' : 'POST';
    const caller = credential === 'of the dashboard' ? alice : new Client(service);
    const headers: Record<string, string> =
      credential === 'a Bearer' ? { authorization: `Bearer ${secret}` } : {};
    const send = (bytes: number) => caller.call(method, path, sized(bytes), headers);
    expect(outcome(await send(MIB))).toBe(whenRead);
    expect(outcome(await send(MIB + 1))).toBe('413 payload_too_large');
  });

  it.each([
    ['/query', '401 api_key_required'],
    ['/chat', '401 api_key_required'],
    ['/client-tokens', '401 api_key_required'],
    ['/messages/msg_x/feedback', '401 api_key_required'],
    ['/leaked-api-keys', '400 validation_failed'],
  ])('is read up to 64 KiB on %s, where it identifies the sender', async (path, whenRead) => {
    const anyone = new Client(service);
    expect(outcome(await anyone.post(path, sized(64 * 1024)))).toBe(whenRead);
    expect(outcome(await anyone.post(path, sized(64 * 1024 + 1)))).toBe('413 payload_too_large');
    const answer = await anyone.post(path, sized(64 * 1024 + 1), {
      authorization: `Bearer ${secret}`,
    });
    expect(outcome(answer)).toBe('413 payload_too_large');
  });

  it('is not read on a path that does not exist, whatever its size', async () => {
    for (const bytes of [64 * 1024, 64 * 1024 + 1]) {
      expect(outcome(await new Client(service).post('/nothing', sized(bytes)))).toBe(
        '404 not_found',
      );
    }
  });

  it.each([
    ['JSON', 'application/json', '413 payload_too_large'],
    ['another type', 'text/plain', '415 unsupported_media_type'],
  ])('is refused with an answer if it is many times the limit, of %s', async (_, type, refusal) => {
    for (let time = 1; time <= 5; time++) {
      expect(outcome(await post(sized(32 * MIB), { 'content-type': type }))).toBe(refusal);
    }
  });

  it('is limited even without a Content-Length', async () => {
    const response = await fetch(`${service.url}/api/v1/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([sized(64 * 1024 + 1)]).stream(),
      duplex: 'half',
    });
    expect(response.status).toBe(413);
  });

  it.each([
    ['a document', (metadata: string) => nestedIn(metadata)],
    ['a form', (metadata: string) => form(metadata)],
  ])('may have 1,000 fields in the metadata of %s', async (what, add) => {
    const metadata = (count: number) =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`${what[2]}${index}`, 1])),
      );
    expect(await add(metadata(1000))).toBe('202');
    expect(await add(metadata(1001))).toBe('400 validation_failed');
    expect(await add(`{"deep":[${metadata(1001)}]}`)).toBe('400 validation_failed');
  });

  it('names at most 100 of its unknown fields, each shortened', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `${index}`.padEnd(1000, '\u0001'));
    const fields = Object.fromEntries(names.map((name) => [name, 1]));
    const { body, text } = await alice.post<Problem>(`/kbs/${kb.id}/evaluations`, {
      questions: [fields, fields],
    });
    expect(body.errors).toHaveLength(100);
    expect(Buffer.byteLength(text)).toBeLessThan(256 * 1024);
  });

  it('is not parsed if it has more fields than any operation takes, wherever they are', async () => {
    const many = `{${Array.from({ length: 1001 }, (_, index) => `"f${index}":1`).join()}}`;
    const bodies = [many, `[${many}]`, `{"name":"Shop","description":${many}}`, `${many} x`];
    for (const body of bodies) {
      const answer = await post(body);
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(answer.body.detail).toBe('The body has an object of more than 1000 fields.');
    }
  });

  it('is not parsed if it has more objects and lists than any operation takes', async () => {
    const answer = await post(`{"name":[${'{},'.repeat(20_000)}{}]}`);
    expect(outcome(answer)).toBe('400 validation_failed');
    expect(answer.body.detail).toBe('The body has more than 20000 objects and lists.');
  });

  it('is not a query, of which 100 parameters are read', async () => {
    const query = (count: number) =>
      Array.from({ length: count }, (_, index) => `p${index}=1`).join('&');
    const at100 = await alice.get<Problem>(`/kbs?${query(100)}`);
    expect(at100.body.errors).toHaveLength(100);
    const at101 = await alice.get<Problem>(`/kbs?${query(101)}`);
    expect(at101.body.errors).toEqual([
      { field: '', message: 'the query must have at most 100 fields' },
    ]);
    expect((await alice.get(`/kbs?${query(100_000)}`)).status).toBe(431);
    const repeated = await alice.get<Problem>(`/kbs?${'limit=1&'.repeat(1500)}`);
    expect(outcome(repeated)).toBe('400 validation_failed');
  });

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense'])(
    'is refused with 415 if its type is %s',
    async (type) => {
      const answer = await post('{"name":"Shop"}', { 'content-type': type });
      expect(outcome(answer)).toBe('415 unsupported_media_type');
    },
  );

  it('is read as JSON whatever parameters its type has', async () => {
    const type = 'application/json; charset=utf-8';
    expect(outcome(await post('{"name":"Shop"}', { 'content-type': type }))).toBe('201');
  });

  it('is read if nested 32 deep, but not 33 deep, and brackets in text do not count', async () => {
    expect(outcome(await nested(32, 'Thirty-two'))).toBe('202');
    expect(outcome(await nested(33, 'Thirty-three'))).toBe('400 validation_failed');
    expect(outcome(await nested(2, `${'[{'.repeat(100)}\\"[[`))).toBe('202');
    expect(outcome(await post('['.repeat(100_000)))).toBe('400 validation_failed');
  });

  it.each([
    ['cut off', '{"name":"Shop"'],
    ['in single quotes', "{'name':'Shop'}"],
    ['with something behind it', '{"name":"Shop"} x'],
    ['not a number', 'NaN'],
    ['empty', ''],
    ['white space', '   '],
    ['an array', '[]'],
    ['null', 'null'],
    ['a __proto__', '{"name":"Shop","__proto__":{"description":"polluted"}}'],
    ['an escaped __proto__', '{"name":"Shop","\\u005f_proto__":{"description":"polluted"}}'],
    ['invalid UTF-8', Buffer.from('{"name":"caf\u00e9"}', 'latin1')],
    ['half a UTF-8 character', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xe2])])],
  ])('is refused with 400 if it is or has %s', async (_, body) => {
    expect(outcome(await post(body))).toBe('400 validation_failed');
    const clean = await alice.post<KnowledgeBase>('/kbs', { name: 'Clean' });
    expect(clean.body.description).toBeNull();
  });

  it('may be empty under a JSON content type if none is needed', async () => {
    const { id } = await alice.createApiKey(kb.id);
    expect(outcome(await alice.call('PATCH', `/api-keys/${id}/revoke`, ''))).toBe('200');
    expect(outcome(await alice.call('DELETE', `/api-keys/${id}`, ''))).toBe('200');
  });
});
