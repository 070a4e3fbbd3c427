import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';
import { figure } from '../support/figure.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

const WAITING = 5000;
const OF_STRANGER = 10;
/** To the endpoint, before that with a stranger's last passage. A batch is one request. */
const MAX_REQUESTS = 6;

describe('vectors of passages', () => {
  let endpoint: EmbeddingsServer;
  let service: Service;

  beforeAll(async () => {
    endpoint = await EmbeddingsServer.start();
    service = await Service.start();
  });

  afterAll(async () => {
    await service.stop();
    await endpoint.stop();
  });

  /** Written without indexing, which would take minutes. */
  async function addPassages(userId: string, count: number): Promise<void> {
    const client = new Client(service, userId);
    const { id: kbId } = await client.createKnowledgeBase();
    const { id } = await client.addDocument(kbId, { title: userId, text: 'A first passage.' });
    await sql(
      service.environment,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
       INSERT INTO passages (id, kb_id, document_id, version, position, text)
       SELECT 'chunk_' || '${userId}' || i, '${kbId}', '${id}', version, i, 'Passage ' || i
       FROM n, documents WHERE documents.id = '${id}'`,
    );
  }

  it('are made in turns of users: 5,000 of one do not delay ten of another', async () => {
    await addPassages('mallory', WAITING);
    await addPassages('alice', OF_STRANGER);
    await service.stop();
    const gate = Promise.withResolvers<undefined>();
    endpoint.gate = gate.promise;
    service = await Service.start({
      ...service.environment,
      ...{ EMBEDDINGS_BASE_URL: endpoint.url, EMBEDDINGS_MODEL: 'synonyms' },
    });
    await eventually(() => endpoint.requests.length > 0);
    // One that comes while others wait has its turn, too.
    await addPassages('bob', OF_STRANGER);
    gate.resolve(undefined);
    // The title of a document is embedded with each of its passages.
    const requestsUntil = (userId: string) => {
      let texts = 0;
      return endpoint.requests.findIndex((request) => {
        texts += request.filter((text) => text.includes(userId)).length;
        return texts >= OF_STRANGER;
      });
    };
    for (const stranger of ['alice', 'bob']) {
      await eventually(() => requestsUntil(stranger) >= 0);
      const requests = requestsUntil(stranger);
      figure(
        `ten vectors of ${stranger}, ${WAITING} of another user waiting: after ${requests} requests`,
      );
      expect(requests).toBeLessThanOrEqual(MAX_REQUESTS);
    }
  });
});
