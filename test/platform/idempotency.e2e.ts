import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  atOnce,
  Client,
  type Document,
  type KnowledgeBase,
  outcome,
  outcomes,
  type Page,
} from '../support/client.js';
import { sendRaw } from '../support/raw-request.js';
import { newUserId, type SharedService, sharedServices } from '../support/shared-service.js';

const ALICE = newUserId('alice');
const BOB = newUserId('bob');
const CAROL = newUserId('carol');

describe('a creating request with an Idempotency-Key', () => {
  let a: SharedService;
  let b: SharedService;
  let alice: Client;
  let aliceOnB: Client;
  let kbId: string;

  beforeAll(async () => {
    [a, b] = await sharedServices();
    alice = new Client(a, ALICE);
    aliceOnB = new Client(b, ALICE);
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const newKey = () => `key-${Math.random()}`;
  const post = <T>(path: string, body: unknown, key: string, client = alice) =>
    client.post<T>(path, body, { 'idempotency-key': key });
  const count = async (path: string) => (await alice.get<Page<object>>(path)).body.total;
  const seen = ({ status, body }: Answer<unknown>) => [status, body];

  const subjects: [what: string, path: () => string, body: object, other: object][] = [
    ['a knowledge base', () => '/kbs', { name: 'Once' }, { name: 'Twice' }],
    [
      'a document',
      () => `/kbs/${kbId}/documents`,
      { title: 'Once', text: 'The text.', metadata: { zone: 1, a: [1.5, null, { '10': 'é' }] } },
      { title: 'Once', text: 'Another text.' },
    ],
  ];

  describe.each(subjects)('for %s', (_, path, body, other) => {
    it('answers the first result again, from every process, and creates one', async () => {
      const key = newKey();
      const before = await count(path());
      const first = await post(path(), body, key);
      expect(first.status).toBeLessThan(300);
      expect(seen(await post(path(), body, key))).toEqual(seen(first));
      expect(seen(await post(path(), body, key, aliceOnB))).toEqual(seen(first));
      expect(await count(path())).toBe(before + 1);
    });

    it('takes the same fields in another order for the same body', async () => {
      const key = newKey();
      const first = await post(path(), body, key);
      const turned = Object.fromEntries(Object.entries(body).reverse());
      expect(seen(await post(path(), turned, key))).toEqual(seen(first));
    });

    it('refuses another body and creates nothing', async () => {
      const key = newKey();
      await post(path(), body, key);
      const before = await count(path());
      expect(outcome(await post(path(), other, key))).toBe('409 idempotency_conflict');
      expect(await count(path())).toBe(before);
    });

    it('ten times at once creates one and answers the same to all', async () => {
      for (let round = 0; round < 5; round++) {
        const key = newKey();
        kbId = (await alice.createKnowledgeBase()).id;
        const before = await count(path());
        const answers = await atOnce(10, (n) =>
          post<{ id: string }>(path(), body, key, n % 2 === 0 ? alice : aliceOnB),
        );
        expect(Object.keys(outcomes(answers))).toHaveLength(1);
        expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
        expect(answers[0]?.status).toBeLessThan(300);
        expect(await count(path())).toBe(before + 1);
      }
    });

    it('may be sent with other keys and other paths: each does its own work', async () => {
      const key = newKey();
      const first = await post<{ id: string }>('/kbs', { name: 'Path' }, key);
      const second = await post<{ id: string }>(path(), other, `${key}2`);
      expect([first.status, second.status < 300]).toEqual([201, true]);
      expect(second.body.id).not.toBe(first.body.id);
    });

    it('is no record of a refused request: what was mended is taken', async () => {
      const key = newKey();
      expect(outcome(await post(path(), { ...body, colour: 1 }, key))).toBe(
        '400 validation_failed',
      );
      expect((await post(path(), body, key)).status).toBeLessThan(300);
    });
  });

  it('is each user’s own', async () => {
    await alice.call('PUT', `/kbs/${kbId}/members/${BOB}`, { role: 'owner' });
    const bob = new Client(a, BOB);
    const key = newKey();
    const mine = await post<KnowledgeBase>('/kbs', { name: 'Mine' }, key);
    const his = await post<KnowledgeBase>('/kbs', { name: 'Mine' }, key, bob);
    const differs = await post<KnowledgeBase>('/kbs', { name: 'His' }, `${key}x`, bob);
    expect([mine.status, his.status, differs.status]).toEqual([201, 201, 201]);
    expect(his.body.id).not.toBe(mine.body.id);

    const documents = `/kbs/${kbId}/documents`;
    expect((await post(documents, { title: 'A', text: 'One.' }, key)).status).toBe(202);
    expect((await post(documents, { title: 'B', text: 'Two.' }, key, bob)).status).toBe(202);
    expect(await count(documents)).toBe(2);
  });

  it('is each knowledge base’s own', async () => {
    const key = newKey();
    const other = await alice.createKnowledgeBase();
    const body = { title: 'Same', text: 'Same.' };
    const first = await post<Document>(`/kbs/${kbId}/documents`, body, key);
    const second = await post<Document>(`/kbs/${other.id}/documents`, body, key);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('repeats a skipped duplicate as skipped, and a refused one as refused', async () => {
    const path = `/kbs/${kbId}/documents`;
    const body = { title: 'Dup', text: 'Dup.', external_id: 'd1' };
    await alice.addDocument(kbId, body);
    const [skip, reject] = [newKey(), newKey()];
    const skipped = await post(path, { ...body, on_duplicate: 'skip' }, skip);
    expect(skipped.status).toBe(200);
    expect(seen(await post(path, { ...body, on_duplicate: 'skip' }, skip))).toEqual(seen(skipped));
    for (let n = 0; n < 2; n++) {
      expect(outcome(await post(path, body, reject))).toBe('409 duplicate_document');
    }
  });

  it('does a replacement once: a late repetition undoes nothing', async () => {
    const path = `/kbs/${kbId}/documents`;
    const replace = { title: 'One', text: 'One.', external_id: 'r', on_duplicate: 'replace' };
    const key = newKey();
    const { body: first } = await post<Document>(path, replace, key);
    await post(path, { ...replace, title: 'Two', text: 'Two.' }, newKey());
    expect((await post<Document>(path, replace, key)).body.id).toBe(first.id);
    expect((await alice.get<Document>(`/documents/${first.id}`)).body.title).toBe('Two');
  });

  it('gives nothing away to who has left the knowledge base', async () => {
    await alice.call('PUT', `/kbs/${kbId}/members/${CAROL}`, { role: 'member' });
    const carol = new Client(a, CAROL);
    const key = newKey();
    const body = { title: 'Carol', text: 'Carol’s.' };
    expect((await post(`/kbs/${kbId}/documents`, body, key, carol)).status).toBe(202);
    await alice.call('DELETE', `/kbs/${kbId}/members/${CAROL}`);
    const again = await post(`/kbs/${kbId}/documents`, body, key, carol);
    expect(outcome(again)).toBe('404 not_found');
  });

  it.each(['x', '!~', 'x'.repeat(255), '{"a":1}'])('may be %s', async (key) => {
    const first = await post<KnowledgeBase>('/kbs', { name: 'Good' }, key);
    expect(first.status).toBe(201);
    expect((await post<KnowledgeBase>('/kbs', { name: 'Good' }, key)).body.id).toBe(first.body.id);
  });

  it.each([
    ['empty', ['Idempotency-Key:']],
    ['blank', ['Idempotency-Key:   ']],
    ['too long', [`Idempotency-Key: ${'x'.repeat(256)}`]],
    ['with a space in it', ['Idempotency-Key: a b']],
    ['not ASCII', ['Idempotency-Key: \xe9']],
    ['with a tab in it', ['Idempotency-Key: a\tb']],
    ['sent twice', ['Idempotency-Key: a', 'Idempotency-Key: a']],
  ])('is refused when %s, and nothing is created', async (_, lines) => {
    const requests: [path: string, body: object][] = [
      ['/kbs', { name: 'Bad' }],
      [`/kbs/${kbId}/documents`, { title: 'Bad', text: 'Bad.' }],
      [`/kbs/${kbId}/api-keys`, { name: 'Bad', environment: 'live' }],
    ];
    for (const [path, body] of requests) {
      const before = await count(path);
      const headers = ['Content-Type: application/json', `X-Idp-User-Id: ${ALICE}`, ...lines];
      const answer = await sendRaw(a, `POST /api/v1${path}`, headers, JSON.stringify(body));
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(answer.body.errors?.map(({ field }) => field)).toEqual(['Idempotency-Key']);
      expect(await count(path)).toBe(before);
    }
  });
});
