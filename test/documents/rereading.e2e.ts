import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, type Document, inTurns, outcomes, type Page } from '../support/client.js';
import { freePort } from '../support/postgres.mjs';
import { eventually, Service } from '../support/service.js';
import { databaseTime, sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

/** More than are queued at a time. */
const DOCUMENTS = 60;
/** Longer than a lease: what one process has lost is then taken up again. */
const TIMEOUT_MS = 150_000;
const binary = engine === 'postgres' ? 'bytea' : 'blob';

describe('documents that an earlier version of the readers has read', () => {
  /** Stopped, with documents as the earlier version has left them. */
  let former: Service;
  let environment: NodeJS.ProcessEnv;
  let services: Service[];
  let alice: Client;
  let kbId: string;
  let secret: string;
  let ids: string[];

  const change = (statement: string) => sql(environment, statement);
  const start = async (more: NodeJS.ProcessEnv = {}) => {
    const service = await Service.start({ ...environment, ...more });
    services.push(service);
    alice = new Client(service, 'alice');
    return service;
  };
  const countOutdated = async () => {
    const [row] = await sql<{ count: number | string }>(
      environment,
      'SELECT COUNT(*) AS count FROM documents WHERE reader_version = 0',
    );
    return Number(row?.count);
  };
  const get = async (id: string) => (await alice.get<Document>(`/documents/${id}`)).body;
  const headingsOf = async (id: string) => {
    const { body } = await alice.get<Page<{ heading: string | null }>>(`/documents/${id}/chunks`);
    return body.data.map(({ heading }) => heading);
  };

  beforeAll(async () => {
    former = await Service.start();
    alice = new Client(former, 'alice');
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    // Of many at once, some are refused on a busy machine.
    const answers = await inTurns(DOCUMENTS, 10, (n) =>
      alice.post<Document>(`/kbs/${kbId}/documents`, {
        title: 'Penguins',
        text: `Penguin${n} lives on ice.`,
      }),
    );
    expect(outcomes(answers)).toEqual({ '202': DOCUMENTS });
    ids = answers.map(({ body }) => body.id);
    await eventually(async () => {
      const path = `/kbs/${kbId}/documents?status=ready&limit=1`;
      return (await alice.get<Page<Document>>(path)).body.total === DOCUMENTS;
    }, TIMEOUT_MS);
    await former.stop();
    for (const statement of [
      'UPDATE documents SET reader_version = 0',
      `UPDATE chunks SET heading = 'As it was read before'`,
    ]) {
      await sql(former.environment, statement);
    }
  });

  beforeEach(async () => {
    services = [];
    environment = await former.copy();
  });

  afterEach(() => Promise.all(services.map((service) => service.stop())));

  it('are read again by all processes together, behind new ones, and are found meanwhile', async () => {
    // Otherwise nothing may be left before anybody has looked.
    const lease = `('rereading', 'nobody', ${databaseTime(3_600_000)})`;
    await change(`INSERT INTO job_leases (job, holder, expires_at) VALUES ${lease}`);
    const port = await freePort();
    const [service, other] = [await start({ METRICS_PORT: String(port) }), await start()];
    const metric = async () =>
      /^latchkey_rereading_documents (\d+)$/m.exec(
        await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
      )?.[1];
    expect(Number(await metric())).toBe(DOCUMENTS);

    await alice.addDocument(kbId, { title: 'New', text: 'Whales live in the sea.' });
    expect(await countOutdated()).toBe(DOCUMENTS);
    await change(`DELETE FROM job_leases WHERE job = 'rereading'`);

    const partner = new Client(service);
    await eventually(async () => {
      const { results } = (await partner.query(secret, 'penguin7', { top_k: 1 })).body;
      expect(results.map(({ text }) => text)).toEqual(['Penguin7 lives on ice.']);
      return (await countOutdated()) === 0;
    }, TIMEOUT_MS);
    expect(await metric()).toBe('0');
    for (const id of [ids[0], ids[7], ids.at(-1)]) {
      expect(await get(String(id))).toMatchObject({ status: 'ready', attempts: 1, chunk_count: 1 });
      expect(await headingsOf(String(id))).toEqual([null]);
    }
    const { body } = await alice.get<Page<{ action: string }>>(`/kbs/${kbId}/audit-events?limit=1`);
    expect(body.data.map(({ action }) => action)).toEqual(['document.added']);
    const logs = [service, other].map(({ logs }) => logs).join('\n');
    expect(logs).toMatch(/Reading documents again that an earlier version has read: \d+ left/);
    await eventually(() =>
      Promise.resolve(
        /All documents have been read again/.test(
          [service, other].map(({ logs }) => logs).join('\n'),
        ),
      ),
    );
  });

  it('stay ready with their passages when they cannot be read again; failed ones may now be read', async () => {
    const [unreadable = '', failed = ''] = ids;
    await change(
      `UPDATE document_contents SET content = CAST(' ' AS ${binary}) WHERE document_id = '${unreadable}'`,
    );
    await change(
      `UPDATE documents SET status = 'failed', version = NULL, error_code = 'parse_timeout',
         error_message = 'It took too long.' WHERE id = '${failed}'`,
    );
    await start();
    await eventually(async () => (await countOutdated()) === 0, TIMEOUT_MS);
    expect(await get(unreadable)).toMatchObject({ status: 'ready', error: null, chunk_count: 1 });
    expect(await headingsOf(unreadable)).toEqual(['As it was read before']);
    expect(await get(failed)).toMatchObject({ status: 'ready', error: null, chunk_count: 1 });
  });
});
