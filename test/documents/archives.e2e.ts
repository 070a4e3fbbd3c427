import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, type Document, type Page } from '../support/client.js';
import { docx, documentXml, paragraph, uploadFile, zip } from '../support/files.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

interface Archive {
  documents: (Document & { external_id: string; mime_type: string })[];
  skipped: { path: string; code: string }[];
}

describe('a ZIP archive', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
  });

  beforeEach(async () => {
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const add = async (
    bytes: Buffer,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) => {
    const file = { name: 'files.zip', bytes };
    const { status, text } = await uploadFile(alice, kbId, file, fields, headers);
    return { status, body: JSON.parse(text) as Archive };
  };
  const listed = async () => (await alice.get<Page<Document>>(`/kbs/${kbId}/documents`)).body;

  const handbook = { name: 'hr/Leave.md', content: '# Leave\n\nThirty days a year.' };
  const letter = { name: 'letter.docx', content: docx(documentXml(paragraph('Dear Jane.'))) };

  it('becomes a document for each of its files', async () => {
    const extra = [
      { name: '__MACOSX/hr/._Leave.md', content: 'x' },
      { name: '.DS_Store', content: 'x' },
      { name: 'empty/', content: '' },
    ];
    const { status, body } = await add(zip([handbook, letter, ...extra]), {
      external_id: 'intranet',
      metadata: '{"year": 2026}',
    });
    expect(status).toBe(202);
    const { documents, skipped } = body;
    expect(skipped).toEqual([]);
    expect(documents).toMatchObject([
      { external_id: 'intranet/hr/Leave.md', title: 'Leave.md', mime_type: 'text/markdown' },
      { external_id: 'intranet/letter.docx', title: 'letter.docx', metadata: { year: 2026 } },
    ]);
    await eventually(async () => (await listed()).data.every((each) => each.status === 'ready'));
    const key = await alice.createApiKey(kbId);
    const { results } = (await new Client(service).query(key.api_key, 'leave days')).body;
    expect(results).toMatchObject([{ external_id: 'intranet/hr/Leave.md' }]);
  });

  it('says which of its files were not added, and why', async () => {
    const files = [
      handbook,
      { name: 'copy.md', content: handbook.content },
      { name: 'picture.bin', content: '\0\x01' },
      { name: 'damaged.zip', content: zip([letter]).subarray(0, 60) },
      { name: 'secret.txt', content: 'x', encrypted: true },
      { name: 'nothing.txt', content: '' },
    ];
    const { documents, skipped } = (await add(zip(files))).body;
    expect(documents.map((document) => document.external_id)).toEqual(['hr/Leave.md']);
    expect(skipped).toEqual([
      { path: 'copy.md', code: 'duplicate_document' },
      { path: 'picture.bin', code: 'unsupported_media_type' },
      { path: 'damaged.zip', code: 'unsupported_media_type' },
      { path: 'secret.txt', code: 'encrypted' },
      { path: 'nothing.txt', code: 'unsupported_media_type' },
    ]);
  });

  /** An archive with files and with another archive, which is called `a.zip`. */
  const around = (inner: Buffer, files: Parameters<typeof zip>[0] = []) =>
    zip([...files, { name: 'a.zip', content: inner, stored: true }]);

  it('has the files of archives in it, but not more than three deep', async () => {
    const deep = around(around(around(around(zip([letter])), [letter])), [handbook]);
    const { documents, skipped } = (await add(deep)).body;
    expect(documents.map((document) => document.external_id)).toEqual([
      'hr/Leave.md',
      'a.zip/a.zip/letter.docx',
    ]);
    expect(skipped).toEqual([{ path: 'a.zip/a.zip/a.zip/a.zip', code: 'unsupported_media_type' }]);
    const uploads = join(String(service.environment['DATA_DIR']), 'uploads');
    // Other tests have uploads there while they are read.
    await eventually(() => !readdirSync(uploads).some((name) => name.includes('archive')));
  });

  it('is refused as a whole if archives in it have too many files, or unpack to too much', async () => {
    const files = Array.from({ length: 260 }, (_, n) => ({ name: `${n}.txt`, content: `${n}` }));
    expect((await add(around(zip(files.slice(130)), files.slice(0, 130)))).status).toBe(202);
    expect((await add(around(zip(files), files))).status).toBe(413);
    const zeros = { name: 'zeros.txt', content: Buffer.alloc(19_000_000) };
    const large = zip(Array.from({ length: 6 }, (_, n) => ({ ...zeros, name: `${n}.txt` })));
    const nested = zip(['a.zip', 'b.zip'].map((name) => ({ name, content: large })));
    expect((await add(nested)).status).toBe(413);
  });

  it('says so when it is encrypted, and is refused where none of its files is added', async () => {
    const locked = await add(zip([{ name: 'a.txt', content: 'x', encrypted: true }]));
    expect(locked).toMatchObject({ status: 202, body: { skipped: [{ code: 'encrypted' }] } });
    expect((await add(zip([]))).status).toBe(415);
    await add(zip([handbook]));
    expect((await add(zip([handbook]))).status).toBe(409);
  });

  it('replaces its documents when it is sent again', async () => {
    const first = (await add(zip([handbook]), { on_duplicate: 'replace' })).body;
    const changed = { ...handbook, content: '# Leave\n\nThirty-one days.' };
    const second = (await add(zip([changed]), { on_duplicate: 'replace' })).body;
    expect(second.documents.map(({ id }) => id)).toEqual(first.documents.map(({ id }) => id));
    expect((await listed()).total).toBe(1);
  });

  it('adds nothing twice with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = (await add(zip([handbook, letter]), {}, headers)).body;
    const second = (await add(zip([handbook, letter]), {}, headers)).body;
    expect(second.documents.map(({ id }) => id)).toEqual(first.documents.map(({ id }) => id));
    expect(second.skipped).toEqual([]);
  });

  it('is refused with too many files, or if it unpacks to too much', async () => {
    const many = Array.from({ length: 501 }, (_, n) => ({ name: `${n}.txt`, content: `${n}` }));
    expect((await add(zip(many))).status).toBe(413);
    const large = { name: 'a.txt', content: 'x', declaredSize: 4_000_000_000 };
    expect((await add(zip([large]))).status).toBe(413);
    const lying = { name: 'a.txt', content: 'x'.repeat(5_000_000), declaredSize: 10 };
    expect((await add(zip([lying]))).status).toBe(415);
    expect((await listed()).total).toBe(0);
  });

  it('has several documents, so it cannot be uploaded under one external id', async () => {
    const key = await alice.createApiKey(kbId, { scopes: ['documents:write'] });
    const form = new FormData();
    form.append('file', new Blob([zip([handbook])]), 'files.zip');
    const answer = await fetch(`${service.url}/api/v1/ingest/documents/files`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key.api_key}` },
      body: form,
    });
    expect(answer.status).toBe(415);
  });
});
