import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Client,
  type Document,
  type KnowledgeBase,
  outcome,
  type Page,
  type Problem,
} from '../support/client.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

interface Passage {
  id: string;
  document_id: string;
  index: number;
  text: string;
  heading: string | null;
  page: number | null;
}

const MARKDOWN = `Preface without a heading.

# Returns

Customers may return any order within 30 days.

## Refunds

Refunds are paid within *five* working days.

# Shipping

| Country | Days |
|---|---|
| Iceland | 9 |
`;

const HTML = `<!doctype html><html><head><title>Returns</title><style>.secretstyle{}</style></head>
<body><nav><a href="/">Navigation</a></nav><article><h1>Returns</h1>
<p>Customers may return any order within <b>30 days</b>.</p><h2>Refunds</h2>
<p>Refunds are paid within five working days &amp; never later.</p>
<script>var secretscript = 1;</script></article></body></html>`;

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

  const upload = (body: object) => alice.post<Document & Problem>(`/kbs/${kbId}/documents`, body);
  const add = (body: object) => alice.addDocument(kbId, { title: 'Returns', ...body });
  const passagesOf = async (id: string) =>
    (await alice.get<Page<Passage>>(`/documents/${id}/chunks?limit=100`)).body.data;
  const found = async (message: string) =>
    (await partner.query(secret, message, { top_k: 50 })).body.results;
  const foundText = async (message: string) =>
    (await found(message)).map(({ text }) => text).join('\n');
  const ready = (id: string) =>
    eventually(async () => (await alice.get<Document>(`/documents/${id}`)).body.status === 'ready');

  it('answer 202 at once with the whole object, and are ready soon', async () => {
    const body = {
      title: ' Returns policy ',
      text: 'Customers may return any order within 30 days. Ä',
      external_id: 'policies/returns',
      metadata: { department: 'support', year: 2026, tags: ['a', { b: null }] },
      source_url: 'https://shop.example.com/returns?a=1#b',
    };
    const { status, body: accepted } = await upload(body);
    expect(status).toBe(202);
    expect(accepted).toMatchObject({
      id: expect.stringMatching(/^doc_[0-9a-z]{26}$/),
      kb_id: kbId,
      title: 'Returns policy',
      external_id: body.external_id,
      metadata: body.metadata,
      source_url: body.source_url,
      mime_type: 'text/plain',
      size_bytes: Buffer.byteLength(body.text),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      error: null,
    });
    await ready(accepted.id);
    const { body: indexed } = await alice.get<Document>(`/documents/${accepted.id}`);
    expect(indexed).toMatchObject({
      status: 'ready',
      attempts: 1,
      chunk_count: 1,
      error: null,
      indexed_at: expect.stringMatching(/Z$/),
    });
    const { body: kb } = await alice.get<KnowledgeBase>(`/kbs/${kbId}`);
    expect(kb).toMatchObject({ document_count: 1, chunk_count: 1, passages: 1, vectors: 0 });
    expect(await found('return an order')).toMatchObject([
      {
        document_id: accepted.id,
        document_title: 'Returns policy',
        external_id: body.external_id,
        source_url: body.source_url,
        metadata: body.metadata,
        page: null,
        text: body.text,
      },
    ]);
  });

  it('are cut along headings, in order, if they are Markdown', async () => {
    const { id, chunk_count } = await add({ text: MARKDOWN, mime_type: 'text/markdown' });
    const passages = await passagesOf(id);
    expect(passages.map(({ index, heading, page }) => [index, heading, page])).toEqual([
      [0, null, null],
      [1, 'Returns', null],
      [2, 'Returns › Refunds', null],
      [3, 'Shipping', null],
    ]);
    expect(chunk_count).toBe(4);
    expect(passages.map(({ document_id }) => document_id)).toEqual(passages.map(() => id));
    expect(passages[1]?.text).toBe('Customers may return any order within 30 days.');
    expect(passages[3]?.text).toContain('| Iceland | 9 |');
  });

  it('lose scripts and styles and keep headings if they are HTML', async () => {
    const { id, status } = await add({ text: HTML, mime_type: 'text/html' });
    expect(status).toBe('ready');
    const passages = await passagesOf(id);
    const text = passages.map((passage) => passage.text).join('\n');
    expect(text).toContain('five working days & never later');
    expect(text).not.toMatch(/secretstyle|secretscript|<p>|<b>/);
    expect(passages.some(({ heading }) => heading?.includes('Refunds'))).toBe(true);
  });

  it('lose no word if they are long plain text', async () => {
    const words = Array.from({ length: 2000 }, (_, n) => `word${n}${n % 12 === 11 ? '.' : ''}`);
    const { id, chunk_count } = await add({ text: words.join(' ') });
    const passages = await passagesOf(id);
    expect(chunk_count).toBeGreaterThan(4);
    expect(passages.map(({ index }) => index)).toEqual(passages.map((_, index) => index));
    const kept = new Set(passages.flatMap(({ text }) => text.split(/\s+/)));
    expect(words.filter((word) => !kept.has(word))).toEqual([]);
    expect(await foundText('word1999')).toContain('word1999');
  });

  it.each([
    ['text/plain', '   '],
    ['text/plain', '\n\t\u00a0\u3000'],
    ['text/markdown', ' \n\n '],
    ['text/html', '<html><body><script>var a = 1;</script><p> </p></body></html>'],
    ['text/html', ' '],
  ])('fail as no_text_extracted if they are %s without text: %j', async (mime_type, text) => {
    const document = await add({ mime_type, text });
    expect(document).toMatchObject({
      status: 'failed',
      chunk_count: 0,
      error: { code: 'no_text_extracted', message: expect.stringMatching(/\w/) },
    });
    expect(await passagesOf(document.id)).toEqual([]);
  });

  it('are in no result from the moment their delete was answered', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await add({ text: 'Penguins live on ice.' });
      expect(await found('penguins')).toHaveLength(1);
      const answer = await alice.call('DELETE', `/documents/${id}`);
      expect([answer.status, answer.body]).toEqual([200, { success: true }]);
      expect(await found('penguins')).toEqual([]);
      expect((await partner.chat(secret, 'Where do penguins live?')).body).toMatchObject({
        answered: false,
        sources: [],
      });
      expect(outcome(await alice.get(`/documents/${id}`))).toBe('404 not_found');
      expect(outcome(await alice.get(`/documents/${id}/chunks`))).toBe('404 not_found');
      expect(outcome(await alice.call('DELETE', `/documents/${id}`))).toBe('404 not_found');
      const { body: kb } = await alice.get(`/kbs/${kbId}`);
      expect(kb).toMatchObject({ document_count: 0, chunk_count: 0 });
    }
  });

  it('are never found if they were deleted before they were indexed', async () => {
    const { body } = await upload({ title: 'Gone', text: 'Penguins live on ice.' });
    await alice.call('DELETE', `/documents/${body.id}`);
    // Documents are indexed in the order they came: when this one is ready, that one would be.
    await add({ text: 'Penguins swim.' });
    expect(await foundText('penguins')).toBe('Penguins swim.');
  });
});
