import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { atOnce, Client, type Document, type KnowledgeBase, outcomes } from '../support/client.js';
import { uploadFile } from '../support/files.js';
import { eventually, Service } from '../support/service.js';

const KNOWLEDGE_BASES = 5;
const DOCUMENTS = 6;
const BYTES = 10_000;
const UPLOADS = 3;

describe('a quota', () => {
  let a: Service;
  let b: Service;

  beforeAll(async () => {
    a = await Service.start({
      MAX_KNOWLEDGE_BASES_PER_USER: String(KNOWLEDGE_BASES),
      MAX_DOCUMENTS_PER_KNOWLEDGE_BASE: String(DOCUMENTS),
      MAX_BYTES_PER_KNOWLEDGE_BASE: String(BYTES),
      MAX_PARALLEL_UPLOADS_PER_USER: String(UPLOADS),
    });
    b = await a.beside();
  });

  afterAll(async () => {
    await Promise.all([a.stop(), b.stop()]);
  });

  /** A user through both processes, in turn. */
  function clientsOf(userId: string): (index: number) => Client {
    const [onA, onB] = [new Client(a, userId), new Client(b, userId)];
    return (index) => (index % 2 === 0 ? onA : onB);
  }

  const add = (client: Client, kbId: string, text: string, more: object = {}) =>
    client.post<Document & { quota: string }>(`/kbs/${kbId}/documents`, {
      title: 'Some text',
      text,
      ...more,
    });

  it('limits the knowledge bases that a user has created, also at once', async () => {
    const alice = clientsOf('alice');
    const create = (index: number) =>
      alice(index).post<KnowledgeBase & { quota: string }>('/kbs', { name: `Handbook ${index}` });
    const answers = await atOnce(4 * KNOWLEDGE_BASES, create);
    expect(outcomes(answers)).toEqual({
      '201': KNOWLEDGE_BASES,
      '409 quota_reached': 3 * KNOWLEDGE_BASES,
    });
    expect(answers.find(({ status }) => status === 409)?.body.quota).toBe(
      'MAX_KNOWLEDGE_BASES_PER_USER',
    );
    // Whoever makes Bob an owner takes nothing of his.
    const [first = '', second = ''] = answers.flatMap(({ status, body }) =>
      status === 201 ? [body.id] : [],
    );
    const bob = clientsOf('bob');
    for (const id of [first, second]) {
      await alice(0).call('PUT', `/kbs/${id}/members/bob`, { role: 'owner' });
    }
    const made = await atOnce(KNOWLEDGE_BASES, (index) => bob(index).post('/kbs', { name: 'Own' }));
    expect(outcomes(made)).toEqual({ '201': KNOWLEDGE_BASES });

    await alice(0).call('DELETE', `/kbs/${first}`);
    expect(outcomes([await create(0), await create(1)])).toEqual({
      '201': 1,
      '409 quota_reached': 1,
    });
  });

  it('limits documents that are added at once, and does not count deleted ones', async () => {
    const carol = clientsOf('carol');
    const { id: kbId } = await carol(0).createKnowledgeBase();
    const answers = await atOnce(4 * DOCUMENTS, (index) => add(carol(index), kbId, `No. ${index}`));
    expect(outcomes(answers)).toEqual({ '202': DOCUMENTS, '409 quota_reached': 3 * DOCUMENTS });
    expect(answers.find(({ status }) => status === 409)?.body.quota).toBe(
      'MAX_DOCUMENTS_PER_KNOWLEDGE_BASE',
    );
    expect((await carol(0).get<KnowledgeBase>(`/kbs/${kbId}`)).body.document_count).toBe(DOCUMENTS);

    const [first] = answers.filter(({ status }) => status === 202);
    const replaced = await add(carol(1), kbId, 'No. 0', { on_duplicate: 'skip' });
    expect([200, 409]).toContain(replaced.status);
    expect((await carol(0).call('DELETE', `/documents/${first?.body.id ?? ''}`)).status).toBe(200);
    const more = [await add(carol(0), kbId, 'One more.'), await add(carol(1), kbId, 'Two more.')];
    expect(outcomes(more)).toEqual({ '202': 1, '409 quota_reached': 1 });
  });

  it('limits bytes, and counts only the difference of a replacement', async () => {
    const dave = clientsOf('dave');
    const { id: kbId } = await dave(0).createKnowledgeBase();
    const large = 'x'.repeat(BYTES - 1000);
    const replace = (length: number) =>
      add(dave(0), kbId, 'y'.repeat(length), { external_id: 'one', on_duplicate: 'replace' });
    expect((await add(dave(0), kbId, large, { external_id: 'one' })).status).toBe(202);
    const answers = await atOnce(4, (index) => add(dave(index), kbId, String(index).repeat(600)));
    expect(outcomes(answers)).toEqual({ '202': 1, '409 quota_reached': 3 });
    expect(answers.find(({ status }) => status === 409)?.body.quota).toBe(
      'MAX_BYTES_PER_KNOWLEDGE_BASE',
    );
    expect(outcomes([await replace(BYTES - 500), await replace(500)])).toEqual({
      '202': 1,
      '409 quota_reached': 1,
    });
    expect((await replace(BYTES - 600)).status).toBe(202);
  });

  it('limits the parallel uploads of a user, and frees them with the answers', async () => {
    const erin = new Client(a, 'erin');
    const { id: kbId } = await erin.createKnowledgeBase();
    const slow = Array.from({ length: UPLOADS }, (_, index) => slowUpload(a, 'erin', kbId, index));
    const upload = (client: Client, kb: string, name: string) =>
      uploadFile(client, kb, { name, bytes: `This is ${name}.` });
    const uploads = join(a.dataDir, 'uploads');
    await eventually(() => existsSync(uploads) && readdirSync(uploads).length === UPLOADS);
    const refused = await upload(erin, kbId, 'one-too-many.txt');
    expect(outcomes([refused])).toEqual({ '429 too_many_uploads': 1 });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    // Uploads by key count for the user who created the knowledge base.
    const { api_key } = await erin.createApiKey(kbId, { scopes: ['documents:write'] });
    const body = new FormData();
    body.set('file', new Blob(['This is by key.'], { type: 'text/plain' }), 'by-key.txt');
    const headers = { authorization: `Bearer ${api_key}` };
    const byKey = await fetch(`${a.url}/api/v1/ingest/documents/by-key`, {
      ...{ method: 'PUT', headers, body },
    });
    expect(byKey.status).toBe(429);

    const frank = new Client(a, 'frank');
    const other = await frank.createKnowledgeBase();
    expect((await upload(frank, other.id, 'another-user.txt')).status).toBe(202);
    expect(await Promise.all(slow.map((one) => one.finish()))).toEqual(slow.map(() => 202));
    await eventually(async () => (await upload(erin, kbId, 'afterwards.txt')).status !== 429);
  });
});

/** An upload whose body ends when it is told to. */
function slowUpload(service: Service, userId: string, kbId: string, index: number) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const boundary = 'slow-upload';
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    async start(controller) {
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${index}.txt"\r\n\r\n`;
      controller.enqueue(encoder.encode(`${head}Upload ${index}`));
      await ended;
      controller.enqueue(encoder.encode(`.\r\n--${boundary}--\r\n`));
      controller.close();
    },
  });
  const answer = fetch(`${service.url}/api/v1/kbs/${kbId}/documents`, {
    method: 'POST',
    headers: {
      'x-idp-user-id': userId,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body,
    duplex: 'half',
  });
  return {
    finish: async () => {
      end();
      return (await answer).status;
    },
  };
}
