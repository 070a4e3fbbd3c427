import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { atOnce, Client, type Document, outcome, outcomes, type Page } from '../support/client.js';
import { sendForm, uploadFile } from '../support/files.js';
import { eventually, Service } from '../support/service.js';
import {
  BAD_BODIES,
  BAD_FIELDS,
  filePart,
  FILES_OF_OTHER_TYPES,
  statusOfUnending,
  TEXT,
  TYPED_FILES,
} from '../support/upload-samples.js';

const MAX_UPLOAD_BYTES = 300_000;

describe('an uploaded file', () => {
  let service: Service;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await Service.start({ MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES) });
    alice = new Client(service, 'alice');
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  // Whatever became of it, nothing of it stays on the disk.
  afterEach(() => eventually(() => readdirSync(`${service.dataDir}/uploads`).length === 0));

  afterAll(() => service.stop());

  const total = async () => (await alice.get<Page<Document>>(`/kbs/${kbId}/documents`)).body.total;
  const upload = (
    fields: Record<string, string> = {},
    file: Partial<Parameters<typeof uploadFile>[2]> = {},
    headers: Record<string, string> = {},
  ) => uploadFile(alice, kbId, { name: 'returns.txt', bytes: TEXT, ...file }, fields, headers);
  const path = () => `/kbs/${kbId}/documents`;
  const ready = (id: string) =>
    eventually(async () => (await alice.get<Document>(`/documents/${id}`)).body.status === 'ready');
  /** A body as it is written, with `|` for the ends of lines. */
  const raw = (body: string, boundary = 'x') =>
    alice.post(path(), body.replaceAll('|', '\r\n'), {
      'content-type': `multipart/form-data; boundary=${boundary}`,
    });

  it('is taken with its fields, in any order, and found', async () => {
    const fields: Record<string, string> = {
      title: ' Returns policy ',
      metadata: '{"year": 2026, "tags": ["a", null]}',
      external_id: 'returns',
      source_url: 'https://shop.example.com/returns',
    };
    const form = new FormData();
    form.append('title', String(fields['title']));
    form.append('file', new Blob([TEXT]), 'returns.txt');
    for (const name of ['metadata', 'external_id', 'source_url']) {
      form.append(name, String(fields[name]));
    }
    const { status, body } = await sendForm(alice, kbId, form);
    expect(status).toBe(202);
    expect(body).toMatchObject({
      title: 'Returns policy',
      metadata: { year: 2026, tags: ['a', null] },
      external_id: 'returns',
      source_url: fields['source_url'],
      mime_type: 'text/plain',
      size_bytes: TEXT.length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await ready(body.id);
    const key = await alice.createApiKey(kbId);
    const { results } = (await new Client(service).query(key.api_key, 'return an order')).body;
    expect(results).toMatchObject([{ document_id: body.id, text: TEXT }]);
  });

  it('takes metadata that says it is JSON, as browsers send it', async () => {
    const form = new FormData();
    form.append('metadata', new Blob(['{"year": 2026}'], { type: 'application/json' }));
    form.append('file', new Blob([TEXT]), 'returns.txt');
    const { status, body } = await sendForm(alice, kbId, form);
    expect([status, body]).toMatchObject([202, { metadata: { year: 2026 } }]);
    const deep = new FormData();
    const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    deep.append('metadata', new Blob([nested], { type: 'application/json' }));
    deep.append('file', new Blob(['Other.']), 'other.txt');
    expect(outcome(await sendForm(alice, kbId, deep))).toBe('400 validation_failed');
    expect(await total()).toBe(1);
  });

  it.each(['知识库.pdf', 'Ärger & Œuvre.txt', '😀 .md', "o'clock.txt"])(
    'keeps its name for a title: %s',
    async (name) => {
      expect((await upload({}, { name })).body.title).toBe(name);
    },
  );

  it.each([
    ['   ', 'Untitled'],
    [`${'😀'.repeat(501)}.txt`, '😀'.repeat(500)],
    [' a .txt', 'a .txt'],
  ])('gets a title from a name that is none: %j', async (name, title) => {
    expect((await upload({}, { name })).body.title).toBe(title);
    expect((await upload({ title: '', on_duplicate: 'replace' }, { name })).body.title).toBe(title);
  });

  it.each([
    [`filename*=UTF-8''a%00b.txt`, 'ab.txt'],
    [`filename*=UTF-8''%00`, 'Untitled'],
    ['filename=""', 'Untitled'],
  ])('gets a title where the name cannot be one: %s', async (name, title) => {
    expect((await raw(`${filePart(name)}--x--|`)).status).toBe(202);
    const { data } = (await alice.get<Page<Document>>(path())).body;
    expect(data.map((document) => document.title)).toEqual([title]);
  });

  it('keeps a name that is spelt as RFC 5987 has it', async () => {
    const encoded = `filename*=UTF-8''%E7%9F%A5%E8%AF%86%E5%BA%93.pdf`;
    const { status } = await raw(`${filePart(encoded)}--x--|`);
    expect(status).toBe(202);
    const { data } = (await alice.get<Page<Document>>(path())).body;
    expect(data.map(({ title }) => title)).toEqual(['知识库.pdf']);
  });

  it.each(TYPED_FILES)(
    'is of the type of its content: %s',
    async (_, name, bytes, type, expected) => {
      const { body } = await upload({}, { name, bytes, ...(type !== undefined && { type }) });
      expect(body).toMatchObject({ mime_type: expected });
    },
  );

  it.each(FILES_OF_OTHER_TYPES)('is refused if it has another type: %s', async (_, name, bytes) => {
    expect(outcome(await upload({}, { name, bytes }))).toBe('415 unsupported_media_type');
    expect(await total()).toBe(0);
  });

  it('delays nobody if it is all comments', async () => {
    const bytes = `${'<!---->'.repeat(8000)}x`;
    const answer = upload({}, { name: 'comments', bytes });
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    expect((await answer).body).toMatchObject({ mime_type: 'text/plain' });
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  });

  it('is refused if it is empty', async () => {
    const answer = await upload({}, { bytes: '' });
    expect(outcome(answer)).toBe('400 validation_failed');
    expect(answer.body.errors?.map(({ field }) => field)).toEqual(['file']);
    expect(await total()).toBe(0);
  });

  it('may be as large as the limit, and no larger', async () => {
    const bytes = 'It is so. '.repeat(MAX_UPLOAD_BYTES / 10);
    expect(outcome(await upload({}, { bytes }))).toBe('202');
    expect(outcome(await upload({}, { bytes: `${bytes}x` }))).toBe('413 payload_too_large');
    const large = await upload({}, { bytes: 'x'.repeat(20 * MAX_UPLOAD_BYTES) });
    expect(outcome(large)).toBe('413 payload_too_large');
    expect(await total()).toBe(1);
  });

  it('is refused as too large even if its first bytes are', async () => {
    const small = await Service.start({ MAX_UPLOAD_BYTES: '1024' });
    const bob = new Client(small, 'bob');
    const { id } = await bob.createKnowledgeBase();
    const answer = await uploadFile(bob, id, { name: 'a.txt', bytes: 'x'.repeat(1025) });
    expect(outcome(answer)).toBe('413 payload_too_large');
    await small.stop();
  });

  it.each([{}, { 'content-length': String(10 ** 10) }])(
    'is refused as soon as it is too large, even if it does not end: %j',
    async (headers) => {
      expect(await statusOfUnending(`${service.url}/api/v1${path()}`, headers)).toBe(413);
    },
  );

  it.each(BAD_FIELDS)(
    'is refused with a bad field, and nothing is created: %s',
    async (field, fields) => {
      const answer = await upload(fields);
      expect(outcome(answer)).toBe('400 validation_failed');
      expect(answer.body.errors?.map((error) => error.field)).toEqual([field]);
      expect(await total()).toBe(0);
    },
  );

  it.each(BAD_BODIES)(
    'is refused in a body with %s, and the connection goes on',
    async (_, body) => {
      expect(outcome(await raw(body))).toBe('400 validation_failed');
      expect(await total()).toBe(0);
    },
  );

  it('is refused without a boundary, and elsewhere altogether', async () => {
    const type = { 'content-type': 'multipart/form-data' };
    expect(outcome(await alice.post(path(), 'x', type))).toBe('400 validation_failed');
    const bounded = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(outcome(await alice.post('/kbs', 'x', bounded))).toBe('415 unsupported_media_type');
    expect(outcome(await new Client(service).post('/query', 'x', bounded))).toBe(
      '415 unsupported_media_type',
    );
  });

  it('is accepted from members only', async () => {
    const file = { name: 'a.txt', bytes: TEXT };
    expect(outcome(await uploadFile(new Client(service), kbId, file))).toBe(
      '401 dashboard_authentication_required',
    );
    expect(outcome(await uploadFile(new Client(service, 'bob'), kbId, file))).toBe('404 not_found');
    expect(await total()).toBe(0);
  });

  it('becomes one document if sent eight times at once, the same as JSON of the same bytes', async () => {
    const answers = await atOnce(8, () => upload());
    expect(outcomes(answers)).toEqual({ '202': 1, '409 duplicate_document': 7 });
    const [first] = answers.filter(({ status }) => status === 202);
    const json = await alice.post<Document>(path(), { title: 'Again', text: TEXT });
    expect(outcome(json)).toBe('409 duplicate_document');
    const skipped = await upload({ on_duplicate: 'skip' });
    expect([skipped.status, skipped.body.id]).toEqual([200, first?.body.id]);
    const replaced = await upload({ on_duplicate: 'replace', title: 'New' });
    expect([replaced.status, replaced.body.id, replaced.body.title]).toEqual([
      202,
      first?.body.id,
      'New',
    ]);
  });

  it('is taken once with an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'once' };
    const first = await upload({ title: 'One' }, {}, key);
    expect(first.status).toBe(202);
    const again = await upload({ title: 'One' }, {}, key);
    expect([again.status, again.body]).toEqual([202, first.body]);
    for (const [fields, file] of [
      [{ title: 'Two' }, {}],
      [{ title: 'One' }, { bytes: 'Another text.' }],
    ] as const) {
      expect(outcome(await upload(fields, file, key))).toBe('409 idempotency_conflict');
    }
    expect(await total()).toBe(1);
  });
});
