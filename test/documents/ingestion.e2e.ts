import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { atOnce, Client, type Document, type Page } from '../support/client.js';
import { figure } from '../support/figure.js';
import { uploadFile } from '../support/files.js';
import { RecognitionServer } from '../support/recognition-server.js';
import { onlyOn } from '../support/requirement.js';
import { scan } from '../support/scans.js';
import { eventually, Service } from '../support/service.js';
import { databaseTime, hold, sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

/** Longer than a service waits until it looks whether there is work. */
const POLLED_MS = 2500;
const DAY_MS = 24 * 60 * 60 * 1000;
const PARAGRAPHS = Array.from({ length: 1500 }, (_, n) => `Paragraph ${n} is about penguins.`);
const LONG = { title: 'Long', text: PARAGRAPHS.join('\n\n') };

interface Times {
  readonly created_at: string;
  readonly indexed_at: string;
}

/** Documents of one knowledge base that wait, while one of another is uploaded. */
const WAITING = 24;

/** Kills a service when it is about to write passages. */
const MORTAL = {
  NODE_OPTIONS: '--import=./test/support/die-at-statement.mjs',
  DIE_AT_STATEMENT: '^INSERT INTO .passages',
  DIE_AT_OCCURRENCE: '1',
};

describe('indexing in the background', () => {
  /** The service of the current test: the one that most tests share, or one of its own. */
  let service: Service;
  let alice: Client;
  let kbId: string;
  let shared: Service;

  beforeAll(async () => {
    shared = await Service.start();
  });

  beforeEach(() => use(shared));

  afterEach(async () => {
    if (service !== shared) await service.stop();
  });

  afterAll(() => shared.stop());

  /** With a new knowledge base. */
  async function use(started: Service): Promise<void> {
    begin(started);
    kbId = (await alice.createKnowledgeBase()).id;
  }

  function begin(started: Service): void {
    service = started;
    alice = new Client(service, 'alice');
  }

  const restart = async (environment: NodeJS.ProcessEnv = {}) => {
    begin(await Service.start({ ...service.environment, ...environment }));
  };
  const upload = async (body: object, to = kbId) => {
    const answer = await alice.post<Document>(`/kbs/${to}/documents`, body);
    if (answer.status !== 202) throw new Error(answer.text);
    return answer.body.id;
  };
  const get = async (id: string) => (await alice.get<Document>(`/documents/${id}`)).body;
  const becomes = (id: string, status: string, timeoutMs?: number) =>
    eventually(async () => (await get(id)).status === status, timeoutMs);
  const rowOf = async (id: string) =>
    (
      await sql<{
        status: string;
        attempts: number;
        is_due: number;
      }>(
        service.environment,
        `SELECT d.status, d.attempts, CASE WHEN due_at <= ${databaseTime()} THEN 1 ELSE 0 END AS is_due
         FROM documents d JOIN queued_jobs ON subject_id = d.id WHERE d.id = '${id}'`,
      )
    )[0];
  const setDue = (id: string, offsetMs: number) =>
    sql(
      service.environment,
      `UPDATE queued_jobs SET due_at = ${databaseTime(offsetMs)} WHERE subject_id = '${id}'`,
    );
  const died = () =>
    eventually(async () => {
      return (await fetch(`${service.url}/health/live`).catch(() => undefined)) === undefined;
    });

  /** Documents that are indexed together when all of them are queued at once. */
  const uploadSmall = async (...texts: string[]) => {
    const ids = await Promise.all(texts.map((text) => upload({ title: 'Small', text })));
    for (const id of ids) await becomes(id, 'ready');
    return ids;
  };
  const queueAll = () => alice.post(`/kbs/${kbId}/reindex`, {});
  const textsOf = async (id: string) =>
    (await alice.get<Page<{ text: string }>>(`/documents/${id}/chunks`)).body.data.map(
      ({ text }) => text,
    );

  /** Every passage once, and all of the text. */
  async function expectWhole(id: string): Promise<void> {
    const { chunk_count } = await get(id);
    const texts: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const search: string = `limit=100${cursor && `&cursor=${cursor}`}`;
      const { body } = await alice.get<Page<{ text: string }>>(`/documents/${id}/chunks?${search}`);
      texts.push(...body.data.map(({ text }) => text));
      cursor = body.next_cursor;
    }
    expect(texts).toHaveLength(chunk_count);
    const stored = texts.join('\n\n');
    expect(PARAGRAPHS.filter((paragraph) => !stored.includes(paragraph))).toEqual([]);
    await eventually(async () => {
      const rows = await sql<{ passages: string }>(
        service.environment,
        `SELECT CAST(count(*) AS VARCHAR(10)) AS passages FROM passages WHERE document_id = '${id}'`,
      );
      return rows[0]?.passages === String(chunk_count);
    });
  }

  it('gives a document back at a stop, and ignores a lease from before the clock was moved', async () => {
    // It is processed for as long as this server does not answer.
    const server = await RecognitionServer.start();
    server.answer = () => new Promise(() => undefined);
    await use(await Service.start({ OCR_BASE_URL: server.url }));
    const bytes = await (await scan(['Penguins'])).png().toBuffer();
    const { id } = (await uploadFile(alice, kbId, { name: 'page.png', bytes })).body;
    const isAsked = async () => {
      await eventually(() => server.asked.length > 0);
      server.asked.length = 0;
      expect(await get(id)).toMatchObject({ status: 'processing' });
    };
    try {
      await isAsked();
      expect(await service.stop()).toBe(0);
      expect(await rowOf(id)).toEqual({ status: 'pending', attempts: 0, is_due: 1 });
      await restart();
      await isAsked();

      // And is not held up by a lease from before the clock was moved.
      await service.kill();
      await setDue(id, DAY_MS);
      await restart();
      await isAsked();
      expect((await get(id)).attempts).toBe(2);
    } finally {
      await service.stop();
      await server.stop();
    }
  });

  it.each([
    ['waited', 'pending', `'waiting', NULL, 0`],
    ['had used up its attempts', 'processing', `'leased', 'lost', 3`],
  ])(
    'indexes a document as it is by then, not as it was while it %s',
    async (_, status, before) => {
      const id = await upload({ title: 'A', mime_type: 'text/html', text: '<p>Penguins</p>' });
      await becomes(id, 'ready');
      const update = (changes: string) => `UPDATE documents SET ${changes} WHERE id = '${id}'`;
      const queue = (columns: string) =>
        `INSERT INTO queued_jobs
         (queue, subject_id, kb_id, user_id, kind, priority, due_at, state, lease, attempts)
       VALUES ('documents', '${id}', '${kbId}', 'alice', 'group', 0, ${databaseTime(-1000)}, ${columns})
       ON CONFLICT (queue, subject_id) DO UPDATE SET state = excluded.state, lease = excluded.lease,
         attempts = excluded.attempts`;
      await sql(service.environment, update(`status = '${status}'`));
      // As another process replaces it, while this one has seen what it was.
      const again = queue(`'waiting', NULL, 0`);
      const replaced = update(`status = 'pending', attempts = 0, mime_type = 'text/plain'`);
      await sql(service.environment, queue(before));
      const commit = await hold(service.environment, `${again}; ${replaced}`);
      await setTimeout(POLLED_MS);
      await commit();
      await becomes(id, 'ready');
      expect(await get(id)).toMatchObject({ attempts: 1, error: null });
      expect(await textsOf(id)).toEqual(['<p>Penguins</p>']);
    },
  );

  it('retries later after a failure that is not the document’s', async () => {
    const directory = join(service.dataDir, 'search');
    const table = (from: string, to: string) =>
      sql(service.environment, `ALTER TABLE ${from} RENAME TO ${to}`);
    if (engine === 'postgres') await table('search_passages', 'away');
    else {
      renameSync(directory, `${directory}-away`);
      writeFileSync(directory, 'no directory');
    }
    const id = await upload(LONG);
    await eventually(async () => {
      const { status, attempts } = await get(id);
      return status === 'pending' && attempts >= 1;
    });
    if (engine === 'postgres') await table('away', 'search_passages');
    else {
      rmSync(directory);
      renameSync(`${directory}-away`, directory);
    }
    await becomes(id, 'ready');
    const { attempts, error } = await get(id);
    // The next one may have begun before the table was back.
    expect([2, 3]).toContain(attempts);
    expect(error).toBeNull();
    await expectWhole(id);
  });

  it('counts no attempt while the disk or the database fails', async () => {
    const directory = join(service.dataDir, 'search', `${kbId}.sqlite`);
    if (engine === 'postgres') {
      await sql(
        service.environment,
        `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql
           AS $$ BEGIN RAISE EXCEPTION 'disk full' USING ERRCODE = '53100'; END $$;
         CREATE TRIGGER no_room BEFORE INSERT ON passages EXECUTE FUNCTION no_room()`,
      );
    } else mkdirSync(directory, { recursive: true });
    const id = await upload(LONG);
    await eventually(async () => {
      const { status, attempts, is_due } = (await rowOf(id)) ?? {};
      return status === 'pending' && attempts === 0 && is_due === 0;
    });
    if (engine === 'postgres') await sql(service.environment, 'DROP FUNCTION no_room CASCADE');
    else rmSync(directory, { recursive: true });
    await becomes(id, 'ready');
    expect(await get(id)).toMatchObject({ attempts: 1, error: null });
    await expectWhole(id);
  });

  it('indexes small documents whose group was cut short, each once', async () => {
    await use(await Service.start());
    const texts = Array.from({ length: 12 }, (_, n) => `Penguin ${n} swims.`);
    const ids = await uploadSmall(...texts);
    await service.stop();
    await restart(MORTAL);
    await queueAll().catch(() => undefined);
    await died();
    for (const id of ids) await setDue(id, -1000);
    await restart({ NODE_OPTIONS: '' });
    for (const [n, id] of ids.entries()) {
      await becomes(id, 'ready');
      expect(await textsOf(id)).toEqual([texts[n]]);
    }
    const stored = () => sql(service.environment, 'SELECT number FROM passages');
    await eventually(async () => (await stored()).length === ids.length);
    const key = await alice.createApiKey(kbId);
    const { results } = (await new Client(service).query(key.api_key, 'penguin', { top_k: 50 }))
      .body;
    expect(results).toHaveLength(ids.length);
  });

  it('fails small documents that are indexed together each for itself', async () => {
    const [broken = '', ...others] = await uploadSmall('Broken', 'A', 'B', 'C', 'D', 'E', 'F');
    const isBroken = `NEW.document_id = '${broken}'`;
    await sql(
      service.environment,
      engine === 'postgres'
        ? `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
             AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
           CREATE TRIGGER refuse BEFORE INSERT ON passages FOR EACH ROW WHEN (${isBroken})
             EXECUTE FUNCTION refuse()`
        : `CREATE TRIGGER refuse BEFORE INSERT ON passages WHEN ${isBroken}
             BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    );
    await queueAll();
    for (const id of others) {
      await becomes(id, 'ready');
      expect((await get(id)).attempts).toBeLessThanOrEqual(2);
    }
    await becomes(broken, 'failed');
    expect(await get(broken)).toMatchObject({ attempts: 3, error: { code: 'parse_failed' } });
    expect(await textsOf(broken)).toEqual(['Broken']);
  });

  it('counts no attempt because others are deleted meanwhile', async () => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const id = await upload({ title: 'Small', text: `Penguin ${n} swims.` });
        if (n % 2 === 0) await alice.call('DELETE', `/documents/${id}`);
        return id;
      }),
    );
    for (const id of ids.filter((_, n) => n % 2 === 1)) {
      await becomes(id, 'ready');
      expect((await get(id)).attempts).toBe(1);
    }
  });

  it('lets knowledge bases take turns', async () => {
    const cut = { chunk_size: 20, chunk_overlap: 0 };
    await alice.call('PATCH', `/kbs/${kbId}/settings`, cut);
    const other = await alice.createKnowledgeBase();
    const ids = await atOnce(WAITING, (n) => upload({ ...LONG, text: `${n}. ${LONG.text}` }));
    const late = await upload({ title: 'Late', text: 'Only one.' }, other.id);
    const indexed = async (id: string) => {
      await becomes(id, 'ready', 240_000);
      const { body } = await alice.get<Times>(`/documents/${id}`);
      return body;
    };
    const { created_at: uploadedAt, indexed_at: readyAt } = await indexed(late);
    // However fast some of them are, most do not come between the upload of the late one and its turn.
    const between = [];
    for (const id of ids) {
      const { indexed_at: at } = await indexed(id);
      if (at > uploadedAt && at < readyAt) between.push(id);
    }
    figure(
      `${between.length} of ${WAITING} documents were indexed before one of another knowledge base`,
    );
    expect(between.length).toBeLessThan(WAITING / 2);
  });

  onlyOn('postgres').it('is shared by processes, which index each document once', async () => {
    const beside = await Service.start(service.environment);
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) ids.push(await upload({ ...LONG, text: `${n}. ${LONG.text}` }));
    for (const id of ids) {
      await becomes(id, 'ready');
      expect((await get(id)).attempts).toBe(1);
    }
    await expectWhole(String(ids[0]));
    await expectWhole(String(ids[9]));
    await beside.stop();
  });
});
