import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, type Page } from '../support/client.js';
import { EmbeddingsServer } from '../support/embeddings-server.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

describe('passages that have no vectors yet', () => {
  let endpoint: EmbeddingsServer;
  let service: Service;
  let alice: Client;
  let kbId: string;
  /** The ids of two documents, the newer first. */
  let ids: readonly [string, string];
  let open: string;
  /** Opens the older document alone. */
  let restricted: string;
  const gate = Promise.withResolvers<undefined>();

  beforeAll(async () => {
    endpoint = await EmbeddingsServer.start();
    service = await Service.start({
      EMBEDDINGS_BASE_URL: endpoint.url,
      EMBEDDINGS_MODEL: 'synonyms',
      EMBEDDINGS_TIMEOUT_MS: '60000',
    });
    alice = new Client(service, 'alice');
    kbId = (await alice.createKnowledgeBase()).id;
    open = (await alice.createApiKey(kbId)).api_key;
    const filter = { type: 'eq', key: 'floor', value: 1 };
    restricted = (await alice.createApiKey(kbId, { filter })).api_key;
    const { id: older } = await alice.addDocument(kbId, {
      ...{ title: 'Lot', text: 'A car park.', metadata: { floor: 1 } },
    });
    await eventually(async () => (await counts()) === '1/1');
    endpoint.gate = gate.promise;
    const { id: newer } = await alice.addDocument(kbId, {
      ...{ title: 'Bus', text: 'A big vehicle.', metadata: { floor: 2 } },
    });
    ids = [newer, older];
    await eventually(() => endpoint.requests.flat().some((text) => text.includes('A big')));
    // From now on questions get their vectors, and the newer document does not.
    endpoint.gate = Promise.resolve();
  });

  afterAll(async () => {
    gate.resolve(undefined);
    await service.stop();
    await endpoint.stop();
  });

  const list = async () => (await alice.get<Page<Document>>(`/kbs/${kbId}/documents`)).body.data;

  /** The vectors and passages of the documents. */
  const counts = async () =>
    (await list()).map(({ passages, vectors }) => `${vectors}/${passages}`).join();

  /** Whether `/query` and `/chat` say that their answer is partial. */
  const isPartial = async (key: string, running = service) => {
    const partner = new Client(running);
    const answers = await Promise.all([partner.query(key, 'car'), partner.chat(key, 'car')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    return answers.map(({ body }) => body.partial ?? false);
  };

  it('are counted for each document, in lists and by itself', async () => {
    expect(await counts()).toBe('0/1,1/1');
    const single = ids.map(async (id) => (await alice.get<Document>(`/documents/${id}`)).body);
    expect(await list()).toEqual(await Promise.all(single));
  });

  it('make answers partial', async () => {
    expect(await isPartial(open)).toEqual([true, true]);
  });

  it('make no answers partial of a key that may not see them', async () => {
    expect(await isPartial(restricted)).toEqual([false, false]);
  });

  it('are none of those without embeddings', async () => {
    const other = await Service.start({
      ...service.environment,
      ...{ EMBEDDINGS: 'off', EMBEDDINGS_BASE_URL: undefined, EMBEDDINGS_MODEL: undefined },
    });
    expect(await isPartial(open, other)).toEqual([false, false]);
    expect(await other.stop()).toBe(0);
  });

  it('are none once all have vectors, also after a document was indexed again', async () => {
    gate.resolve(undefined);
    await eventually(async () => (await counts()) === '1/1,1/1');
    expect(await isPartial(open)).toEqual([false, false]);
    const [, older] = ids;
    await alice.post(`/documents/${older}/reindex`, {});
    const kept = () =>
      sql<{ version: number; vectors: number }>(
        service.environment,
        `SELECT version, vectors FROM document_vectors WHERE document_id = '${older}'`,
      );
    await eventually(async () => JSON.stringify(await kept()) === '[{"version":2,"vectors":1}]');
    await eventually(async () => (await counts()) === '1/1,1/1');
  });
});
