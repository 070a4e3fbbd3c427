import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { ApiKey, Client, Document } from '../support/client.js';
import { eventually, Service } from '../support/service.js';
import { onlyOn, usuallyOnSqlite } from '../support/requirement.js';

const onSqlite = onlyOn('sqlite');

describe('regressions that no other test shows', () => {
  let service: Service;
  let alice: Client;
  let partner: Client;

  beforeAll(async () => {
    service = await Service.start();
    alice = new Client(service, 'alice');
    partner = new Client(service);
  });

  afterAll(() => service.stop());

  it('a large deleted document does not hide the others', async () => {
    const kb = await alice.createKnowledgeBase();
    const key = await alice.createApiKey(kb.id);
    const sections = Array.from(
      { length: 600 },
      (_, n) => `# Part ${n}\n\nReturns and returns ${n}.`,
    );
    const large = await alice.addDocument(kb.id, {
      title: 'Returns returns',
      mime_type: 'text/markdown',
      text: sections.join('\n\n'),
    });
    expect(large.chunk_count).toBe(600);
    await alice.addDocument(kb.id, {
      title: 'Small',
      text: 'One word about returns, among others.',
    });

    expect((await alice.call('DELETE', `/documents/${large.id}`)).status).toBe(200);
    const { body } = await partner.query(key.api_key, 'returns');
    expect(body.results.map(({ document_title }) => document_title)).toEqual(['Small']);
  });

  usuallyOnSqlite.it('headings of any size leave passages of a bounded one', async () => {
    const kb = await alice.createKnowledgeBase();
    const text = `# ${'endless '.repeat(5000)}\n\n${`## ${'next '.repeat(100)}\n\n${'Some text. '.repeat(150)}\n\n`.repeat(5)}`;
    const { id, status } = await alice.addDocument(kb.id, {
      title: 'Headings',
      mime_type: 'text/markdown',
      text,
    });
    expect(status).toBe('ready');
    const { body } = await alice.get<{ data: { heading: string }[] }>(`/documents/${id}/chunks`);
    expect(body.data.length).toBeGreaterThan(1);
    for (const { heading } of body.data) expect(heading.length).toBeLessThanOrEqual(500);
  });

  usuallyOnSqlite.it(
    'text without paragraphs is cut in time in proportion to its length',
    async () => {
      const kb = await alice.createKnowledgeBase();
      const { status, chunk_count } = await alice.addDocument(kb.id, {
        title: 'Sentences',
        text: 'It is so. '.repeat(40_000),
      });
      expect(status).toBe('ready');
      expect(chunk_count).toBeGreaterThan(400);
    },
  );

  onSqlite.it('a document that is nested too deeply fails, and others go on', async () => {
    const kb = await alice.createKnowledgeBase();
    const endless = await alice.post<Document>(`/kbs/${kb.id}/documents`, {
      title: 'Deep',
      mime_type: 'text/html',
      text: '<div>'.repeat(5000),
    });
    expect(endless.status).toBe(202);
    let document: Document | undefined;
    await eventually(async () => {
      document = (await alice.get<Document>(`/documents/${endless.body.id}`)).body;
      return document.status === 'failed';
    });
    expect(document?.error?.code).toMatch(/^(parse_timeout|parse_failed|no_text_extracted)$/);
    const next = await alice.addDocument(kb.id, {
      title: 'Next',
      text: 'It is read all the same.',
    });
    expect(next.status).toBe('ready');
  });

  it('a key that lives for ever in years has a successor that lives', async () => {
    const kb = await alice.createKnowledgeBase();
    const key = await alice.createApiKey(kb.id, { expires_at: '9999-12-31T23:59:59Z' });
    const rotated = await alice.post<ApiKey>(`/api-keys/${key.id}/rotate`, {});
    expect(rotated.status).toBe(201);
    expect(rotated.body.active).toBe(true);
    expect(rotated.body.expires_at).toMatch(/^9999-12-31T/);
  });

  it('a request that is refused as ill-formed does not count as a use', async () => {
    const kb = await alice.createKnowledgeBase();
    const key = await alice.createApiKey(kb.id);
    expect((await partner.query(key.api_key, '')).status).toBe(400);
    expect((await partner.query(key.api_key, 'a question')).status).toBe(200);
    const usage = () => alice.get<{ requests_24h: number }>(`/api-keys/${key.id}/usage`);
    await eventually(async () => (await usage()).body.requests_24h > 0);
    expect((await usage()).body.requests_24h).toBe(1);
  });

  it('an upload that replaces a document which is being deleted is not lost', async () => {
    const kb = await alice.createKnowledgeBase();
    for (let round = 0; round < 20; round++) {
      const first = { title: 'A', text: `first ${round}`, external_id: `e${round}` };
      const { body } = await alice.post<Document>(`/kbs/${kb.id}/documents`, first);
      const replacement = { ...first, text: `second ${round}`, on_duplicate: 'replace' };
      const [, uploaded] = await Promise.all([
        alice.call('DELETE', `/documents/${body.id}`),
        alice.post<Document>(`/kbs/${kb.id}/documents`, replacement),
      ]);
      expect(uploaded.status).toBe(202);
      const replaced = uploaded.body.id === body.id;
      // Either the deletion came after, and took the replacement, or the upload is a new document.
      const expected = replaced ? 404 : 200;
      expect((await alice.get(`/documents/${uploaded.body.id}`)).status).toBe(expected);
    }
  });

  onSqlite.it('another process that is writing holds up no other request', async () => {
    const other = new Database(join(service.dataDir, 'latchkey.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    const waiting = alice.createKnowledgeBase('Waits for its turn');
    const [live, read] = await Promise.all([
      fetch(`${service.url}/health/live`),
      alice.get('/kbs'),
    ]);
    other.exec('COMMIT');
    other.close();
    expect([live.status, read.status]).toEqual([200, 200]);
    expect((await waiting).name).toBe('Waits for its turn');
  });

  onSqlite.it('a search index is rebuilt if it was lost or damaged', async () => {
    const first = await Service.start();
    const user = new Client(first, 'alice');
    const create = async () => {
      const { id } = await user.createKnowledgeBase();
      await user.addDocument(id, { title: 'Opening hours', text: 'The shop opens at nine.' });
      return { id, key: (await user.createApiKey(id)).api_key };
    };
    const [lost, damaged] = [await create(), await create()];
    await first.stop();
    const directory = join(first.dataDir, 'search');
    for (const file of readdirSync(directory)) {
      if (file.startsWith(lost.id)) rmSync(join(directory, file));
      else writeFileSync(join(directory, file), 'this is no database, '.repeat(500));
    }
    const second = await Service.start(first.environment);
    for (const { key } of [lost, damaged]) {
      const { body } = await new Client(second).query(key, 'When does the shop open?');
      expect(body.results.map(({ text }) => text)).toEqual(['The shop opens at nine.']);
    }
    await second.stop();
  });

  usuallyOnSqlite.it(
    'a request that never ends does not keep the process from stopping',
    async () => {
      const stopping = await Service.start({ SHUTDOWN_GRACE_SECONDS: '1' });
      const socket = connect(Number(new URL(stopping.url).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.on('error', () => undefined);
      socket.write(
        'POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a',
      );
      await fetch(`${stopping.url}/health/live`);
      expect(await stopping.stop()).toBe(0);
      socket.destroy();
    },
  );
});
