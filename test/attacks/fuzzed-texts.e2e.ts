import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Bystander } from '../support/attack.js';
import { type Answer, Client, type Document } from '../support/client.js';
import { figure } from '../support/figure.js';
import { uploadFile } from '../support/files.js';
import { hostileText, written } from '../support/hostile-texts.js';
import { eventually, Service } from '../support/service.js';
import { engine } from '../support/test-database.js';

const FIXED_SEED = 20_261_122;
/** Another each time, which the test prints; `LATCHKEY_FUZZ_SEED` repeats one. */
const OTHER_SEED = Number(process.env['LATCHKEY_FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** How long new texts are made of one seed; the last one is waited for. */
const FUZZ_MS = 25_000;
/** Longer on a busy machine, until each of these was seen. */
const EXPECTED = ['upload 202', 'question 200', 'question 400'];
const CASES = 2000;
/** A live service that answers later is taken for one whose event loop stands. */
const LIVE_LIMIT_MS = 1000;
/** A busy machine can disturb one measurement; what holds the service up shows in each. */
const MEASUREMENTS = 3;
const INDEXING_MS = 120_000;
const MAX_FILE = 3_000_000;
const MAX_TITLE = 500;
const MAX_QUESTION = 8000;
const MAX_FILTER_TEXT = 5000;
/** In characters, of which each may be three bytes. */
const MAX_FILTER = 100_000;

// Written out by fc.stringify, a record with a null prototype cannot be read.
const ORDINARY = { noNullPrototype: true };

const upload = fc.record(
  {
    kind: fc.constant('upload' as const),
    name: fc.constantFrom('hostile.txt', 'hostile.md', 'hostile.html'),
    text: hostileText(1_000_000),
    title: hostileText(100),
  },
  ORDINARY,
);
const question = fc.record(
  {
    kind: fc.constant('question' as const),
    text: hostileText(10_000),
    filter: fc.record(
      {
        type: fc.constantFrom('eq', 'ne', 'gt', 'lt', 'in', 'nin'),
        key: hostileText(10_000),
        value: hostileText(10_000),
        depth: fc.constantFrom(0, 1, 2, 3, 1000),
        width: fc.constantFrom(1, 2, 20, 1000),
      },
      ORDINARY,
    ),
  },
  ORDINARY,
);
type GeneratedBy<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Case = GeneratedBy<typeof upload | typeof question>;
type Filter = GeneratedBy<typeof question>['filter'];

const CASE: fc.Arbitrary<Case> = fc.oneof(
  { weight: 1, arbitrary: upload },
  { weight: 3, arbitrary: question },
);

function filterOf({ type, key, value, depth, width }: Filter): object {
  const text = written(value, MAX_FILTER_TEXT);
  let filter: object = {
    type,
    key: written(key, MAX_FILTER_TEXT),
    value: type.endsWith('in') ? Array.from({ length: 20 }, () => text) : text,
  };
  for (let level = 0; level < depth; level++) {
    // What is larger than a body may be is refused unread.
    const most = level === 0 ? Math.ceil(MAX_FILTER / JSON.stringify(filter).length) : 1;
    const filters = Array.from({ length: Math.min(width, most) }, () => filter);
    filter = { type: level % 2 === 0 ? 'and' : 'or', filters };
  }
  return filter;
}

describe('texts of any kind', () => {
  let service: Service;
  let bystander: Bystander;
  let mallory: Client;
  let kbId: string;
  let apiKey: string;

  beforeAll(async () => {
    service = await Service.start({ LOG_LEVEL: 'error', SEARCH_TIMEOUT_MS: '2000' });
    bystander = await Bystander.start(service);
    mallory = new Client(service, 'mallory');
    kbId = (await mallory.createKnowledgeBase()).id;
    apiKey = (await mallory.createApiKey(kbId, { rate_limit_per_minute: 1_000_000 })).api_key;
  });
  afterAll(async () => {
    bystander.stop();
    await service.stop();
  });

  /** @returns the answers to it */
  async function send(one: Case): Promise<Answer<unknown>[]> {
    if (one.kind === 'question') {
      const message = written(one.text, MAX_QUESTION);
      const filter = filterOf(one.filter);
      return [
        await mallory.chat(apiKey, message),
        await mallory.query(apiKey, message, { top_k: 50 }),
        await mallory.query(apiKey, message, { filter }),
      ];
    }
    const fields = { title: written(one.title, MAX_TITLE), on_duplicate: 'replace' };
    const bytes = written(one.text, MAX_FILE);
    const answer = await uploadFile(mallory, kbId, { name: one.name, bytes }, fields);
    if (answer.status >= 300) return [answer];
    await eventually(async () => {
      const document = await mallory.get<Document>(`/documents/${answer.body.id}`);
      return document.body.status === 'ready' || document.body.status === 'failed';
    }, INDEXING_MS);
    return [answer];
  }

  it.each([FIXED_SEED, OTHER_SEED])(
    'are answered without a fault, and others do not wait: seed %i',
    async (seed) => {
      figure(`seed ${seed}, ${engine}`);
      const end = performance.now() + FUZZ_MS;
      const statuses: Record<string, number> = {};
      let worst = { live: 0, made: '' };
      for (const one of fc.sample(CASE, { seed, numRuns: CASES })) {
        if (performance.now() > end && EXPECTED.every((each) => each in statuses)) break;
        const made = fc.stringify(one);
        for (let count = 1; ; count++) {
          let answers: Answer<unknown>[] = [];
          const { live } = await bystander.measure(async () => {
            answers = await send(one);
          });
          for (const { status, text } of answers) {
            statuses[`${one.kind} ${status}`] = (statuses[`${one.kind} ${status}`] ?? 0) + 1;
            if (status >= 500) throw new Error(`Seed ${seed}: ${status} ${text} to ${made}`);
          }
          if (live > worst.live) worst = { live, made };
          if (live <= LIVE_LIMIT_MS) break;
          if (count === MEASUREMENTS) {
            throw new Error(`Seed ${seed}: /health/live waited ${live.toFixed()} ms for ${made}`);
          }
        }
      }
      figure(`hostile texts of seed ${seed}, ${engine}: ${JSON.stringify(statuses)}`);
      figure(`/health/live at most ${worst.live.toFixed()} ms, beside ${worst.made}`);
      expect(Object.keys(statuses)).toEqual(expect.arrayContaining(EXPECTED));
    },
    FUZZ_MS + 3 * INDEXING_MS,
  );
});
