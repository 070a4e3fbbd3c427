import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type ApiKey,
  Client,
  type Document,
  type KnowledgeBase,
  outcome,
  type Page,
} from './support/client.js';
import { eventually, Service } from './support/service.js';

const QUESTION = 'How long may customers return an order?';
const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };
const PEPPER_FILE = 'api-key-pepper';

describe('what the service has acknowledged', () => {
  let service: Service;

  afterEach(() => service.stop());

  const restart = async () => {
    service = await Service.start(service.environment);
  };

  it('is there after a stop and a start, keys and their pepper included', async () => {
    service = await Service.start();
    const alice = new Client({ url: service.url }, 'alice');
    const kb = await alice.createKnowledgeBase();
    await alice.call('PUT', `/kbs/${kb.id}/members/bob`, { role: 'member' });
    const { id: documentId } = await alice.addDocument(kb.id, DOCUMENT);
    const key = await alice.createApiKey(kb.id);
    const revoked = await alice.createApiKey(kb.id);
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    const chat = await new Client(service).chat(key.api_key, QUESTION);
    const paths = [
      `/kbs/${kb.id}`,
      `/kbs/${kb.id}/members`,
      `/api-keys/${revoked.id}`,
      `/documents/${documentId}`,
      `/documents/${documentId}/chunks`,
      `/conversations/${chat.body.conversation_id}/messages`,
    ];
    const read = (as: Client) =>
      Promise.all(paths.map(async (path) => (await as.get<object>(path)).body));
    const before = await read(alice);
    const pepper = readFileSync(join(service.dataDir, PEPPER_FILE), 'utf8');

    await service.stop();
    await restart();
    expect(await read(new Client(service, 'alice'))).toEqual(before);
    const partner = new Client(service);
    expect((await partner.query(key.api_key, QUESTION)).body.results).toMatchObject([
      { document_id: documentId },
    ]);
    expect(outcome(await partner.query(revoked.api_key, QUESTION))).toBe('401 api_key_revoked');
    expect(readFileSync(join(service.dataDir, PEPPER_FILE), 'utf8')).toBe(pepper);
  });

  it('includes the last use of a key, written down at the stop', async () => {
    service = await Service.start();
    const alice = new Client(service, 'alice');
    const kb = await alice.createKnowledgeBase();
    const key = await alice.createApiKey(kb.id);
    const use = () => new Client(service).query(key.api_key, QUESTION);
    await use();
    const { body: first } = await alice.get<ApiKey>(`/api-keys/${key.id}`);
    await use();
    await service.stop();
    await restart();
    const { body: last } = await new Client(service, 'alice').get<ApiKey>(`/api-keys/${key.id}`);
    expect(String(last.last_used_at) > String(first.last_used_at)).toBe(true);
  });

  it('is there after a kill -9 amid writing', async () => {
    service = await Service.start();
    for (let round = 0; round < 3; round++) {
      const alice = new Client(service, 'alice');
      const acknowledged: string[] = [];
      const writes = Array.from({ length: 40 }, async () => {
        acknowledged.push((await alice.createKnowledgeBase()).id);
      });
      await eventually(() => acknowledged.length >= 5);
      await service.kill();
      await Promise.allSettled(writes);
      await restart();
      const again = new Client(service, 'alice');
      for (const id of acknowledged) {
        expect((await again.get<KnowledgeBase>(`/kbs/${id}`)).body).toMatchObject({ id });
      }
    }
  });

  it('becomes ready after a kill -9 right behind the 202, once', async () => {
    service = await Service.start();
    const alice = new Client(service, 'alice');
    const kb = await alice.createKnowledgeBase();
    const key = await alice.createApiKey(kb.id);
    const paragraphs = Array.from({ length: 400 }, (_, n) => `Paragraph ${n}. ${DOCUMENT.text}`);
    const text = paragraphs.join('\n\n');
    const { body } = await alice.post<Document>(`/kbs/${kb.id}/documents`, { title: 'Long', text });
    await service.kill();
    await restart();

    const again = new Client(service, 'alice');
    let document: Document | undefined;
    await eventually(async () => {
      document = (await again.get<Document>(`/documents/${body.id}`)).body;
      return document.status === 'ready';
    }, 30_000);
    const { body: chunks } = await again.get<Page<{ index: number; text: string }>>(
      `/documents/${body.id}/chunks?limit=100`,
    );
    expect(chunks.total).toBe(document?.chunk_count);
    expect(chunks.data.map(({ index }) => index)).toEqual(chunks.data.map((_, index) => index));
    const stored = chunks.data.map((chunk) => chunk.text).join('\n\n');
    expect(paragraphs.filter((paragraph) => !stored.includes(paragraph))).toEqual([]);
    const { results } = (await new Client(service).query(key.api_key, QUESTION, { top_k: 50 }))
      .body;
    expect(new Set(results.map(({ chunk_id }) => chunk_id)).size).toBe(chunks.total);
  });
});

describe('the end of the process', () => {
  it('is orderly on SIGTERM: exit code 0', async () => {
    const service = await Service.start();
    const alice = new Client(service, 'alice');
    const kb = await alice.createKnowledgeBase();
    await alice.post(`/kbs/${kb.id}/documents`, DOCUMENT);
    expect(await service.stop()).toBe(0);
  });
});
