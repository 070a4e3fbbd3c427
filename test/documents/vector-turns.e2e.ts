import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type KnowledgeBase, type Page } from '../support/client.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';
import { figure } from '../support/figure.js';
import { repetitions } from '../support/repetitions.js';
import { onlyOn } from '../support/requirement.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

const WAITING = repetitions(1000, 5000);
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

  it(`are made in turns of users: ${WAITING} of one do not delay ten of another`, async () => {
    await addPassages('mallory', WAITING);
    await addPassages('alice', OF_STRANGER);
    const gate = Promise.withResolvers<undefined>();
    endpoint.gate = gate.promise;
    await service.stop();
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

  it('are counted for each knowledge base of a list', async () => {
    const alice = new Client(service, 'alice');
    const counts = async () =>
      (await alice.get<Page<KnowledgeBase>>('/kbs')).body.data.map(({ vectors }) => vectors);
    // The passages that were written without indexing are not counted.
    await eventually(async () => (await counts()).join() === '1');
  });

  onlyOn('postgres').it(
    'are made for passages that are committed after others with higher numbers',
    async () => {
      const client = new Client(service, 'carol');
      const kbIds = [];
      for (let n = 0; n < 2; n++) kbIds.push((await client.createKnowledgeBase()).id);
      const [one = '', other = ''] = kbIds;
      const { environment } = service;
      const [row] = await sql<{ newest: string }>(
        environment,
        'SELECT MAX(number) AS newest FROM passages',
      );
      const first = Number(row?.newest) + 1;
      for (const [kbId, number] of [
        [one, first + 10],
        [one, first],
        [other, first + 1],
      ] as const) {
        await sql(environment, nextNumber(number));
        await client.addDocument(kbId, { title: 'carol', text: `Car ${number} has four wheels.` });
        const made = `SELECT 1 FROM passage_vectors WHERE passage_number = ${number}`;
        await eventually(async () => (await sql<object>(environment, made)).length === 1);
      }
      await sql(environment, nextNumber(first + 11));
    },
  );
});

/** A statement that sets the number of the next passage. */
const nextNumber = (number: number) =>
  `SELECT setval(pg_get_serial_sequence('passages', 'number'), ${number}, false)`;
