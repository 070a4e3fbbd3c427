import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type KnowledgeBase, outcome, type Problem } from './support/client.js';
import { newUserId, sharedService, type SharedService } from './support/shared-service.js';

const ALICE = newUserId('alice');

const MIB = 1024 * 1024;

describe('a body', () => {
  let service: SharedService;
  let alice: Client;
  let kb: KnowledgeBase;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, ALICE);
    kb = await alice.createKnowledgeBase();
  });

  const post = (body: unknown, headers?: Record<string, string>) =>
    alice.post<Problem>('/kbs', body, headers);
  /** A document whose body is nested `depth` deep. */
  const nested = (depth: number, text: string) =>
    alice.post(
      `/kbs/${kb.id}/documents`,
      `{"title":"Deep","text":${JSON.stringify(text)},"metadata":${'{"a":'.repeat(depth - 1)}1${'}'.repeat(depth)}`,
    );

  it.each([
    ['/kbs', ALICE],
    ['/query', undefined],
  ])('over 1 MiB answers 413 on %s', async (path, userId) => {
    const answer = await new Client(service, userId).post(path, { name: 'x'.repeat(MIB) });
    expect(outcome(answer)).toBe('413 payload_too_large');
  });

  it('just under 1 MiB is read', async () => {
    const answer = await post({ name: 'x'.repeat(MIB - 100) });
    expect(outcome(answer)).toBe('400 validation_failed');
  });

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense'])(
    'of type %s answers 415',
    async (type) => {
      const answer = await post('{"name":"Shop"}', { 'content-type': type });
      expect(outcome(answer)).toBe('415 unsupported_media_type');
    },
  );

  it('of JSON is read whatever parameters its type has', async () => {
    const type = 'application/json; charset=utf-8';
    expect(outcome(await post('{"name":"Shop"}', { 'content-type': type }))).toBe('201');
  });

  it('nested 32 deep is read, 33 deep is not, and brackets in text do not count', async () => {
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
  ])('that is or has %s answers 400', async (_, body) => {
    expect(outcome(await post(body))).toBe('400 validation_failed');
    const clean = await alice.post<KnowledgeBase>('/kbs', { name: 'Clean' });
    expect(clean.body.description).toBeNull();
  });

  it('that is empty under a JSON content type is no body where none is needed', async () => {
    const { id } = await alice.createApiKey(kb.id);
    expect(outcome(await alice.call('PATCH', `/api-keys/${id}/revoke`, ''))).toBe('200');
    expect(outcome(await alice.call('DELETE', `/api-keys/${id}`, ''))).toBe('200');
  });
});
