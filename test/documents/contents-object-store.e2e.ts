import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'content-disposition';
import { Client, outcome } from '../support/client.js';
import { ObjectStore } from '../support/object-store.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { download, largeText, move, storedContents, uploaded } from '../support/originals.js';

describe('originals in an object store', () => {
  let store: ObjectStore;
  let service: Service;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    store = await ObjectStore.start();
    service = await Service.start(store.environment);
    alice = new Client(service, 'alice');
    kbId = (await alice.createKnowledgeBase()).id;
  });

  afterAll(async () => {
    await service.stop();
    await store.stop();
  });

  const upload = (text: string, more: Record<string, string> = {}) =>
    uploaded(service, 'alice', kbId, new File([text], 'orders.md'), more);
  const objects = () => [...store.objects.values()].map(String);
  const has = (text: string) => objects().includes(text);

  it('are indexed from there, and sent through the service, whole or in parts', async () => {
    const { api_key: secret } = await alice.createApiKey(kbId);
    const text = 'Customers may return any order within 30 days.';
    const { id, status } = await alice.addDocument(kbId, { title: '"知识库"', text });
    expect(status).toBe('ready');
    expect((await new Client(service).query(secret, 'return an order')).body.results).toHaveLength(
      1,
    );
    expect([...store.objects.keys()]).toEqual([expect.stringMatching(/^originals\/here\/[\w-]+$/)]);

    const response = await download(service, 'alice', id);
    expect([response.status, response.headers.get('location')]).toEqual([200, null]);
    expect(parse(String(response.headers.get('content-disposition')))).toMatchObject({
      type: 'inline',
      parameters: { filename: '知识库.txt' },
    });
    expect(await response.text()).toBe(text);
    const part = await download(service, 'alice', id, { range: 'bytes=10-12' });
    expect([part.status, await part.text()]).toEqual([206, text.slice(10, 13)]);
    expect(service.logs).not.toContain('X-Amz-Signature');
  });

  it('go with the document that has them, and with its knowledge base', async () => {
    const { body: first } = await upload('# First', { external_id: 'one' });
    expect(has('# First')).toBe(true);
    await upload('# Second', { external_id: 'one', on_duplicate: 'replace' });
    await eventually(() => !has('# First'));
    expect(has('# Second')).toBe(true);
    await alice.call('DELETE', `/documents/${first.id}`);
    await eventually(() => !has('# Second'));

    const other = await alice.createKnowledgeBase();
    await alice.addDocument(other.id, { title: 'Third', text: 'Third.' });
    expect(has('Third.')).toBe(true);
    await alice.call('DELETE', `/kbs/${other.id}`);
    await eventually(() => !has('Third.'));
  });

  it('are not written for a document that is refused', async () => {
    const document = { title: 'Twice', text: 'Only once.' };
    await alice.addDocument(kbId, document);
    const writes = () => store.requests.filter(({ method }) => method === 'PUT').length;
    const before = writes();
    const again = await alice.post(`/kbs/${kbId}/documents`, document);
    expect([outcome(again), writes()]).toEqual(['409 duplicate_document', before]);
  });

  it('left by an upload that did not end are found', async () => {
    store.objects.set('originals/here/abandoned', Buffer.from('Abandoned.'));
    await sql(
      service.environment,
      `INSERT INTO stored_contents (key, store, state, created_at)
       VALUES ('abandoned', 's3://latchkey-test/originals/here', 'uploading', '2026-01-01 00:00:00')`,
    );
    // The next removal comes by.
    const { id } = await alice.addDocument(kbId, { title: 'Gone', text: 'Soon gone.' });
    await alice.call('DELETE', `/documents/${id}`);
    await eventually(() => !has('Abandoned.') && !has('Soon gone.'));
  });

  it.each([
    ['fails', 503, {}],
    ['sends elsewhere', 307, { location: 'http://127.0.0.1:9/elsewhere' }],
  ])('are refused with 503 while the store %s, and nothing is kept', async (_, status, headers) => {
    // What earlier tests have deleted is removed from the store first, then from the database.
    const before = store.objects.size;
    const isAsBefore = async () => (await storedContents(service)).length === before;
    await eventually(isAsBefore);
    store.intercept = (request, response) => {
      if (request.method !== 'PUT') return false;
      response.writeHead(status, { ...headers, connection: 'close' }).end();
      return true;
    };
    const answer = await alice.post(`/kbs/${kbId}/documents`, {
      title: 'No',
      text: `No ${status}.`,
    });
    expect([outcome(answer), answer.headers.get('retry-after')]).toEqual([
      '503 content_store_unavailable',
      '1',
    ]);
    store.intercept = () => false;
    const found = await alice.get<{ total: number }>(`/kbs/${kbId}/documents?q=No`);
    expect(found.body.total).toBe(0);
    await eventually(isAsBefore);
  });

  it('move to another store and back, also after an interruption', async () => {
    const text = largeText('Moved orders arrive');
    const { id } = await alice.addDocument(kbId, { title: 'Moved', text });
    const count = store.objects.size;
    let reads = 0;
    store.intercept = (request, response) => {
      if (request.method !== 'GET' || ++reads < 3) return false;
      response.writeHead(503, { connection: 'close' }).end();
      return true;
    };
    expect((await move(service, 'database')).code).toBe(1);
    store.intercept = () => false;
    const { code, output } = await move(service, 'database');
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(`^${count - 2} moved to database, 0 missing from their store\n$`),
    ]);
    const original = await download(service, 'alice', id);
    expect([original.status, await original.text()]).toEqual([200, text]);
    await eventually(() => store.objects.size === 0);

    await move(service, String(store.environment['CONTENT_STORE']));
    expect(store.objects.size).toBe(count);
    expect(has(text)).toBe(true);
    const [{ rows } = { rows: -1 }] = await sql<{ rows: number }>(
      service.environment,
      'SELECT CAST(COUNT(*) AS integer) AS rows FROM document_contents',
    );
    expect(rows).toBe(0);
  });
});
