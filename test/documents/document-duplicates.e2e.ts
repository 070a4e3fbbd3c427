import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, type Document, outcome, type Page, type Problem } from '../support/client.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

describe('documents', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
  });

  const add = (body: object) => alice.addDocument(kbId, { title: 'Returns', ...body });
  const found = async (message: string) =>
    (await partner.query(secret, message, { top_k: 50 })).body.results;
  const upload = (body: object) => alice.post<Document & Problem>(`/kbs/${kbId}/documents`, body);
  const passagesOf = async (id: string) =>
    (await alice.get<Page<{ text: string }>>(`/documents/${id}/chunks`)).body.data;
  const ready = (id: string) =>
    eventually(async () => (await alice.get<Document>(`/documents/${id}`)).body.status === 'ready');

  describe.each([
    ['external_id', { external_id: 'returns', text: 'Quite another text.' }],
    ['content', { external_id: 'another', text: 'The old words.' }],
  ])('with the %s of another', (_, duplicate) => {
    const again = { title: 'New', ...duplicate };
    let old: Document;

    beforeEach(async () => {
      old = await add({ title: 'Old', external_id: 'returns', text: 'The old words.' });
    });

    it.each([{}, { on_duplicate: 'reject' }])('are refused with %j', async (choice) => {
      const answer = await upload({ ...again, ...choice });
      expect(outcome(answer)).toBe('409 duplicate_document');
      expect(answer.body.existing_document_id).toBe(old.id);
    });

    it('are skipped when asked to, with the old one for an answer', async () => {
      const { status, body } = await upload({ ...again, on_duplicate: 'skip' });
      expect([status, body]).toEqual([200, old]);
    });

    it('replace it when asked to, under its id', async () => {
      const { status, body } = await upload({ ...again, on_duplicate: 'replace' });
      expect([status, body.id]).toEqual([202, old.id]);
      await ready(old.id);
      expect((await alice.get(`/documents/${old.id}`)).body).toMatchObject({
        title: 'New',
        external_id: again.external_id,
        chunk_count: 1,
      });
      expect((await passagesOf(old.id)).map(({ text }) => text)).toEqual([again.text]);
      expect((await alice.get<Page<Document>>(`/kbs/${kbId}/documents`)).body.total).toBe(1);
    });

    it('are welcome in another knowledge base', async () => {
      const { id } = await alice.createKnowledgeBase();
      expect((await alice.addDocument(id, again)).status).toBe('ready');
    });
  });

  it('leave no moment without a result while one replaces another', async () => {
    const { id } = await add({ external_id: 'x', text: 'Penguins: the old edition.' });
    await upload({
      title: 'New',
      external_id: 'x',
      text: 'Penguins: the new edition.',
      on_duplicate: 'replace',
    });
    await eventually(async () => {
      const results = await found('penguins');
      expect(results.map(({ document_id }) => document_id)).toEqual([id]);
      return results[0]?.text.includes('new') === true;
    });
    expect((await found('old edition of penguins')).map(({ text }) => text)).toEqual([
      'Penguins: the new edition.',
    ]);
  });

  it('become one if the same bytes are uploaded at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => upload({ title: 'Same', text: 'The very same bytes.' })),
    );
    const expected = ['202', ...Array.from({ length: 9 }, () => '409 duplicate_document')];
    expect(answers.map(outcome).sort()).toEqual(expected);
    const id = answers.find(({ status }) => status === 202)?.body.id;
    const refused = answers.filter(({ status }) => status === 409);
    expect(new Set(refused.map(({ body }) => body.existing_document_id))).toEqual(new Set([id]));
  });

  it('are accepted or refused each for itself when uploaded at once', async () => {
    await add({ external_id: 'returns', text: 'The old words.' });
    const twice = { title: 'Twice', text: 'Said twice.' };
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_, n) => upload({ title: 'New', text: `Text ${n}.` })),
      ...Array.from({ length: 4 }, () => upload({ ...twice, external_id: 'returns' })),
      ...Array.from({ length: 4 }, () => upload(twice)),
    ]);
    const outcomes = answers.map(outcome);
    expect(outcomes.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => '202'));
    expect(outcomes.slice(8, 12)).toEqual(
      Array.from({ length: 4 }, () => '409 duplicate_document'),
    );
    expect(outcomes.slice(12).sort()).toEqual([
      '202',
      ...Array.from({ length: 3 }, () => '409 duplicate_document'),
    ]);
    const { body } = await alice.get<Page<Document>>(`/kbs/${kbId}/documents`);
    expect(body.total).toBe(10);
    const events = (await alice.get<Page<object>>(`/kbs/${kbId}/audit-events?limit=100`)).body.data;
    expect(
      events.filter((event) => 'action' in event && event.action === 'document.added'),
    ).toHaveLength(10);
  });

  it('leave their Idempotency-Key free when refused, also among others', async () => {
    const old = await add({ text: 'The old words.' });
    const key = { 'idempotency-key': 'import-1' };
    const again = () =>
      alice.post<Document>(`/kbs/${kbId}/documents`, { title: 'New', text: 'The old words.' }, key);
    const [refused] = await Promise.all([
      again(),
      ...Array.from({ length: 8 }, (_, n) => upload({ title: 'New', text: `Text ${n}.` })),
    ]);
    expect(outcome(refused)).toBe('409 duplicate_document');
    await alice.call('DELETE', `/documents/${old.id}`);
    expect(outcome(await again())).toBe('202');
  });
});
