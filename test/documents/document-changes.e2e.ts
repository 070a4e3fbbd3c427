import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AuditEvent, Client, type Document, outcome, type Page } from '../support/client.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

type FullDocument = Document & {
  needs_reindex: boolean;
  created_at: string;
  updated_at: string;
  indexed_at: string;
};

const SENTENCES = Array.from({ length: 60 }, (_, n) => `Sentence ${n} is about penguins.`);
const LONG = SENTENCES.join(' ');

describe('a document', () => {
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
    // Some tests ask without a pause.
    const unlimited = { rate_limit_per_minute: 1_000_000 };
    secret = (await alice.createApiKey(kbId, unlimited)).api_key;
  });

  const add = (body: object = {}) =>
    alice.addDocument(kbId, { title: 'Returns', text: 'Orders go back.', ...body });
  const get = async (id: string) => (await alice.get<FullDocument>(`/documents/${id}`)).body;
  const patch = (id: string, body: object) =>
    alice.call<FullDocument & { errors: { field: string }[]; existing_document_id: string }>(
      'PATCH',
      `/documents/${id}`,
      body,
    );
  const ready = (id: string) => eventually(async () => (await get(id)).status === 'ready');
  const found = async (message: string) =>
    (await partner.query(secret, message, { top_k: 50 })).body.results;
  const actions = async () =>
    (await alice.get<Page<AuditEvent>>(`/kbs/${kbId}/audit-events`)).body.data.filter(
      ({ action }) => /reindexed|updated/.test(action),
    );

  describe('that is changed', () => {
    it('is answered whole, as it now is, and what was left out stays', async () => {
      const { id } = await add({ external_id: 'a', metadata: { year: 2026 } });
      const { status, body } = await patch(id, {
        source_url: 'https://shop.example.com/returns',
        metadata: { year: 2027, tags: ['x'] },
      });
      expect(status).toBe(200);
      expect(body).toEqual(await get(id));
      expect(body).toMatchObject({
        title: 'Returns',
        external_id: 'a',
        status: 'ready',
        metadata: { year: 2027, tags: ['x'] },
        source_url: 'https://shop.example.com/returns',
      });
      expect(body.updated_at >= body.created_at).toBe(true);
      const cleared = await patch(id, { external_id: null, source_url: null });
      expect(cleared.body).toMatchObject({ external_id: null, source_url: null });
      expect(await found('orders')).toMatchObject([
        { metadata: { year: 2027 }, external_id: null },
      ]);
      expect(await actions()).toMatchObject([
        { action: 'document.updated', target_id: id },
        {
          action: 'document.updated',
          details: { fields: expect.arrayContaining(['source_url', 'metadata']) },
        },
      ]);
    });

    it('is found by its new title and not by its old one, and always by its text', async () => {
      const { id } = await add();
      const text = (await found('orders'))[0]?.text;
      expect((await patch(id, { title: ' Walruses ' })).body.title).toBe('Walruses');
      await eventually(async () => {
        expect(await found('orders')).toMatchObject([{ document_id: id, text }]);
        return (await get(id)).status === 'ready';
      });
      expect(await found('walruses')).toMatchObject([
        { document_id: id, document_title: 'Walruses' },
      ]);
      expect(await found('returns')).toEqual([]);
    });

    it('stays as it is when nothing is said', async () => {
      const { id } = await add();
      const before = await get(id);
      expect((await patch(id, {})).body).toEqual(before);
      expect(await actions()).toEqual([]);
    });

    it('may not take another’s external id, but keep its own', async () => {
      const { id } = await add({ external_id: 'a' });
      const other = await add({ external_id: 'b', text: 'Another text.' });
      const answer = await patch(other.id, { external_id: 'a', title: 'New' });
      expect(outcome(answer)).toBe('409 duplicate_document');
      expect(answer.body.existing_document_id).toBe(id);
      expect((await get(other.id)).title).toBe('Returns');
      expect((await patch(id, { external_id: 'a' })).status).toBe(200);
    });

    it('takes an external id that ten want at the same time only once', async () => {
      const documents = await Promise.all(
        Array.from({ length: 10 }, (_, n) => add({ text: `Text ${n}.` })),
      );
      const answers = await Promise.all(
        documents.map(({ id }) => patch(id, { external_id: 'wanted' })),
      );
      const expected = ['200', ...Array<string>(9).fill('409 duplicate_document')];
      expect(answers.map(outcome).sort()).toEqual(expected);
    });

    it.each<[string, object]>([
      ['title', { title: '' }],
      ['title', { title: null }],
      ['metadata', { metadata: [1] }],
      ['metadata', { metadata: null }],
      ['source_url', { source_url: 'file:///etc/passwd' }],
      ['external_id', { external_id: '' }],
      ['status', { status: 'failed' }],
      ['text', { text: 'Another text.' }],
      ['kb_id', { kb_id: 'kb_01kafdp6ygf4rs4s2cr5cvzwkc' }],
    ])('is refused with a bad %s, and nothing changes', async (field, body) => {
      const { id } = await add();
      const before = await get(id);
      const answer = await patch(id, { ...body, ...(field !== 'title' && { title: 'New' }) });
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(answer.body.errors.map((error) => error.field)).toEqual([field]);
      expect(await get(id)).toEqual(before);
    });
  });

  describe('whose passages were cut otherwise than the settings say', () => {
    const cutSmaller = async () => {
      const body = { chunk_size: 40, chunk_overlap: 5 };
      expect((await alice.call('PATCH', `/kbs/${kbId}/settings`, body)).status).toBe(200);
    };
    const listed = async (needs: boolean) =>
      (
        await alice.get<Page<Document>>(`/kbs/${kbId}/documents?needs_reindex=${needs}`)
      ).body.data.map(({ id }) => id);

    it('says so until it is indexed again, and is found all the while', async () => {
      const { id, chunk_count } = await add({ text: LONG });
      expect(chunk_count).toBe(1);
      expect([await listed(true), await listed(false)]).toEqual([[], [id]]);
      await cutSmaller();
      expect((await get(id)).needs_reindex).toBe(true);
      expect([await listed(true), await listed(false)]).toEqual([[id], []]);

      const { status, body } = await alice.post<FullDocument>(
        `/documents/${id}/reindex`,
        undefined,
      );
      expect([status, body.id, body.status]).toEqual([202, id, 'pending']);
      await eventually(async () => {
        expect((await found('penguins')).length).toBeGreaterThan(0);
        return (await get(id)).status === 'ready';
      });
      const document = await get(id);
      expect(document).toMatchObject({ needs_reindex: false, attempts: 1, error: null });
      expect(document.chunk_count).toBeGreaterThan(5);
      const { body: passages } = await alice.get<Page<{ text: string }>>(
        `/documents/${id}/chunks?limit=100`,
      );
      expect(passages.total).toBe(document.chunk_count);
      for (const sentence of SENTENCES) {
        expect(passages.data.some(({ text }) => text.includes(sentence))).toBe(true);
      }
      expect((await found('penguins')).length).toBe(Math.min(50, document.chunk_count));
      expect(await actions()).toMatchObject([
        { action: 'document.reindexed', target_id: id },
        { action: 'settings.updated' },
      ]);
    });

    it('is found by every query while it is indexed again and again', async () => {
      const { id } = await add({ text: LONG });
      let done = false;
      const counts: number[] = [];
      const ask = async () => {
        while (!done) counts.push((await found('penguins')).length);
      };
      const asking = Promise.all(Array.from({ length: 6 }, ask));
      try {
        for (let n = 0; n < 25; n++) {
          const before = counts.length;
          await alice.post(`/documents/${id}/reindex`, undefined);
          await ready(id);
          await eventually(() => counts.length > before);
        }
      } finally {
        done = true;
        await asking;
      }
      expect(counts.filter((count) => count === 0)).toEqual([]);
    });

    it('is indexed again with all others of its knowledge base', async () => {
      const documents = await Promise.all(
        Array.from({ length: 5 }, (_, n) => add({ text: `${LONG} ${n}.` })),
      );
      const failed = await add({ text: ' ' });
      await cutSmaller();
      const other = await alice.createKnowledgeBase();
      const elsewhere = await alice.addDocument(other.id, { title: 'Other', text: LONG });
      const { status, body } = await alice.post(`/kbs/${kbId}/reindex`, undefined);
      expect([status, body]).toEqual([202, { documents: 6 }]);
      for (const { id } of documents) await ready(id);
      await eventually(async () => (await get(failed.id)).status === 'failed');
      expect(await listed(true)).toEqual([]);
      for (const { id } of documents) expect((await get(id)).chunk_count).toBeGreaterThan(5);
      expect(await get(elsewhere.id)).toEqual(elsewhere);
      expect((await actions())[0]).toMatchObject({
        action: 'knowledge_base.reindexed',
        target_id: kbId,
        details: { documents: 6 },
      });
    });

    it('may be asked for again and again: no passage comes twice', async () => {
      const { id } = await add({ text: LONG });
      await cutSmaller();
      for (let n = 0; n < 5; n++) {
        await alice.post(`/documents/${id}/reindex`, undefined);
        if (n === 2) await patch(id, { title: 'Renamed meanwhile' });
      }
      await ready(id);
      const { chunk_count } = await get(id);
      const results = await found('penguins');
      expect(results).toHaveLength(Math.min(50, chunk_count));
      expect(new Set(results.map(({ text }) => text)).size).toBe(results.length);
      expect((await found('renamed')).length).toBe(Math.min(50, chunk_count));
    });

    it('can be deleted meanwhile, and is gone', async () => {
      const { id } = await add({ text: LONG });
      await alice.post(`/documents/${id}/reindex`, undefined);
      expect((await alice.call('DELETE', `/documents/${id}`)).status).toBe(200);
      await add({ text: 'Penguins swim.' });
      expect((await found('penguins')).map(({ text }) => text)).toEqual(['Penguins swim.']);
      expect(outcome(await alice.post(`/documents/${id}/reindex`, undefined))).toBe(
        '404 not_found',
      );
    });
  });
});
