import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ApiKey, Client, outcome } from '../support/client.js';
import { figure } from '../support/figure.js';
import { repetitions } from '../support/repetitions.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

const QUESTION = 'How long may customers return an order?';
const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };
const PEPPER_FILE = 'api-key-pepper';
const ROUNDS = repetitions(3, 20);

describe('what the service has acknowledged', () => {
  let service: Service;

  afterEach(() => service.stop());

  const restart = async () => {
    service = await Service.start(service.environment);
  };
  /** PostgreSQL looks after its own. */
  const integrity = async () => {
    if (engine === 'postgres') return 'ok';
    const rows = await sql<{ integrity_check: string }>(
      service.environment,
      'PRAGMA integrity_check',
    );
    return rows.map(({ integrity_check }) => integrity_check).join();
  };

  it('survives a stop and a start, including keys and their pepper', async () => {
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

  it('includes the last use of a key, written at the stop', async () => {
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

  it(`is there after a kill -9 amid writing: ${ROUNDS} rounds`, async () => {
    service = await Service.start();
    let total = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const alice = new Client(service, 'alice');
      const acknowledged: string[] = [];
      const writes = Array.from({ length: 40 }, async () => {
        acknowledged.push((await alice.createKnowledgeBase()).id);
      });
      await eventually(() => acknowledged.length >= 5);
      await service.kill();
      await Promise.allSettled(writes);
      expect(await integrity()).toBe('ok');
      await restart();
      const again = new Client(service, 'alice');
      const answers = await Promise.all(acknowledged.map((id) => again.get(`/kbs/${id}`)));
      expect(answers.map(outcome)).toEqual(acknowledged.map(() => '200'));
      total += acknowledged.length;
    }
    figure(`kill -9 amid writing: ${ROUNDS} rounds, 0 of ${total} acknowledged rows lost`);
  });
});
