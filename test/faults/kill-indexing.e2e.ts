import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  askedUntilWhole,
  Client,
  type Document,
  type IssuedApiKey,
  type KnowledgeBase,
  outcome,
  type Page,
} from '../support/client.js';
import { figure } from '../support/figure.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';

/** How soon a document is taken up again by the next start. */
const RESUME_MS = 90_000;
const ATTEMPTS = 3;
/** Longer than a lease holds without its process. */
const LEASE_IS_OVER_MS = 60_000;
/** More than one batch, so that there is half a document when the second is written. */
const SECTIONS = 250;

describe('a kill -9 amid indexing', () => {
  let service: Service;
  let alice: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;
  let accepted: Document;
  let clock: string;
  let dying: NodeJS.ProcessEnv;

  const sentences = Array.from(
    { length: SECTIONS },
    (_, n) => `Customer ${n} may return any order.`,
  );
  const text = sentences.map((sentence) => `# Part\n\n${sentence}`).join('\n\n');

  beforeEach(async () => {
    clock = join(mkdtempSync(join(tmpdir(), 'latchkey-')), 'clock');
    writeFileSync(clock, '0');
    dying = {
      NODE_OPTIONS:
        '--import=./test/support/clock.mjs --import=./test/support/die-at-statement.mjs',
      CLOCK_FILE: clock,
      DIE_AT_STATEMENT: '^INSERT INTO .?passages',
      DIE_AT_OCCURRENCE: '2',
    };
    service = await Service.start(dying);
    alice = new Client(service, 'alice');
    kb = await alice.createKnowledgeBase();
    key = await alice.createApiKey(kb.id);
    const body = { title: 'Long', mime_type: 'text/markdown', text };
    const answer = await alice.post<Document>(`/kbs/${kb.id}/documents`, body);
    expect(outcome(answer)).toBe('202');
    accepted = answer.body;
    const gone = () =>
      fetch(`${service.url}/health/live`).then(
        () => false,
        () => true,
      );
    await eventually(gone, RESUME_MS);
    expect((await storedPassages()).length).toBeGreaterThan(0);
    expect(await state()).toMatchObject({ status: 'processing', attempts: 1 });
  });

  afterEach(() => service.stop());

  const storedPassages = () => sql(service.environment, 'SELECT number FROM passages');
  const state = async () =>
    (
      await sql<{ status: string; attempts: number }>(
        service.environment,
        'SELECT status, attempts FROM documents',
      )
    )[0];
  const restart = async () => {
    const { NODE_OPTIONS, ...rest } = service.environment;
    expect(NODE_OPTIONS).toBeDefined();
    const clockOnly = { NODE_OPTIONS: '--import=./test/support/clock.mjs' };
    service = await Service.start({ ...rest, ...clockOnly });
    alice = new Client(service, 'alice');
  };
  const found = async () =>
    (
      await askedUntilWhole(() =>
        new Client(service).query(key.api_key, 'return an order', { top_k: 50 }),
      )
    ).body.results;

  it('is made good by the next start: ready once, and not findable by halves', async () => {
    const begin = performance.now();
    await restart();
    let document: Document | undefined;
    const findable = new Set<number>();
    await eventually(async () => {
      const results = (await found()).length;
      document = (await alice.get<Document>(`/documents/${accepted.id}`)).body;
      if (document.status !== 'ready') findable.add(results);
      return document.status === 'ready';
    }, RESUME_MS);
    figure(`kill -9 amid indexing: ready ${Math.round(performance.now() - begin)} ms later`);
    expect([...findable].filter((results) => results > 0 && results < 50)).toEqual([]);
    expect(document?.attempts).toBe(2);

    // What the attempt before has left is removed, and every paragraph is there once.
    await eventually(async () => (await storedPassages()).length === document?.chunk_count);
    const stored: string[] = [];
    let cursor = '';
    do {
      const { body } = await alice.get<Page<{ text: string }>>(
        `/documents/${accepted.id}/chunks?limit=100${cursor}`,
      );
      stored.push(...body.data.map(({ text }) => text));
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect(stored).toHaveLength(SECTIONS);
    sentences.forEach((sentence, n) => {
      expect(stored[n]).toContain(sentence);
    });
  });

  it(`ends after ${ATTEMPTS} attempts: the document has failed, and nothing of it is found`, async () => {
    for (let starts = 1; Number((await state())?.attempts) < ATTEMPTS; starts++) {
      expect(starts).toBeLessThan(2 * ATTEMPTS);
      writeFileSync(clock, String(starts * LEASE_IS_OVER_MS));
      expect(await Service.refusal(service.environment)).toMatchObject({ code: null });
      expect(await state()).toMatchObject({ status: 'processing' });
    }
    writeFileSync(clock, String(2 * ATTEMPTS * LEASE_IS_OVER_MS));
    await restart();
    let document: Document | undefined;
    await eventually(async () => {
      document = (await alice.get<Document>(`/documents/${accepted.id}`)).body;
      return document.status === 'failed';
    }, RESUME_MS);
    expect(document).toMatchObject({ attempts: ATTEMPTS, error: { code: 'parse_failed' } });
    expect(await found()).toEqual([]);
    await eventually(async () => (await storedPassages()).length === 0);
    // Others go on.
    expect((await alice.addDocument(kb.id, { title: 'B', text: 'Bees.' })).status).toBe('ready');
  });
});
