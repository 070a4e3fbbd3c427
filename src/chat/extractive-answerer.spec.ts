import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Cancellable, isCancelled } from '../platform/jobs/cancellation.js';
import { WorkerPool } from '../platform/jobs/worker-pool.js';
import { SentenceVectors } from '../documents/search/sentence-vectors.js';
import { FairShareLookup } from '../knowledge-bases/fair-share-lookup.js';
import type { FoundPassage, SearchResult } from '@latchkey/ranking/search-index';
import type { Reading, ReadingRequest } from '@latchkey/quoting/reading';
import { ExtractiveAnswerer } from './extractive-answerer.js';

const PASSAGE: FoundPassage = {
  ...{ passageId: 'passage', documentId: 'doc', documentTitle: 'Returns', text: '30 days.' },
  ...{ externalId: null, sourceUrl: null, metadata: {}, heading: 'Orders', page: null },
  ...{
    locator: null,
    cells: null,
    language: 'en',
    score: 1,
    coverage: 1,
    matched: [],
    kbId: 'kb',
    date: null,
    contentDate: '2026-01-31',
    updatedAt: '2026-01-31T00:00:00.000Z',
    validUntil: null,
    documentVersion: 1,
  },
};
const FOUND: SearchResult = { passages: [PASSAGE], partial: false, terms: [] };
const READING: Reading = {
  confidence: 1,
  paragraphs: [{ passage: 0, text: '30 days.' }],
  quotes: [],
  conflict: false,
  nearest: [],
};

const NO_STORE = {
  findSentences: () => Promise.resolve(new Map<string, never>()),
  storeSentences: () => Promise.resolve(),
};

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe(ExtractiveAnswerer, () => {
  /** By question; each runs until the test calls `end`. */
  const running = new Map<string, { request: Cancellable<ReadingRequest>; end: () => void }>();
  const run = jest.spyOn(WorkerPool.prototype, 'run').mockImplementation((task: unknown) => {
    const request = task as Cancellable<ReadingRequest>;
    return new Promise((resolve) => {
      running.set(request.question, {
        request,
        end: () => {
          running.delete(request.question);
          resolve({ result: READING, failures: [] });
        },
      });
    });
  });
  let reader: ExtractiveAnswerer;

  beforeEach(() => {
    running.clear();
    run.mockClear();
    const fairShares = new FairShareLookup({ findOne: () => Promise.resolve(null) });
    reader = new ExtractiveAnswerer(fairShares, new SentenceVectors(null, NO_STORE, fairShares));
  });
  afterEach(() => reader.onApplicationShutdown());

  const read = (question: string, signal?: AbortSignal) =>
    reader.read(question.slice(0, 1), { question }, FOUND, signal);

  it('reads for one knowledge base while many readings of another wait', async () => {
    const readings = ['a1', 'a2', 'a3'].map((question) => read(question));
    const other = read('b1');
    await settled();
    expect([...running.keys()]).toEqual(['a1', 'b1']);
    running.get('b1')?.end();
    expect(await other).toBe(READING);
    expect([...running.keys()]).toEqual(['a1']);
    for (const question of ['a1', 'a2', 'a3']) {
      running.get(question)?.end();
      await settled();
    }
    await Promise.all(readings);
  });

  it('begins no reading whose client has disconnected, and stops one that is running', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const readings = Promise.allSettled([read('a1', first.signal), read('a2', second.signal)]);
    await settled();
    const request = running.get('a1')?.request;
    if (!request) throw new Error('The first reading is not running');
    expect(isCancelled(request.cancelled)).toBe(false);
    second.abort(new Error('left'));
    first.abort(new Error('left'));
    expect(isCancelled(request.cancelled)).toBe(true);
    running.get('a1')?.end();
    const left = { status: 'rejected', reason: new Error('left') };
    expect(await readings).toEqual([left, left]);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('reads the reranked passages, and the original ones for the confidence', async () => {
    const original = [{ ...PASSAGE, text: 'first by words', heading: null }];
    const reading = reader.read('a', { question: 'a1' }, { ...FOUND, original }, undefined);
    await settled();
    expect(running.get('a1')?.request).toMatchObject({
      passages: [{ text: '30 days.', title: 'Returns', heading: 'Orders' }],
      original: [{ text: 'first by words', title: 'Returns', heading: null }],
    });
    running.get('a1')?.end();
    await reading;
  });

  it('needs no thread where nothing was found', async () => {
    const nothing = { ...FOUND, passages: [] };
    const reading = await reader.read('a', { question: 'a1' }, nothing, undefined);
    expect(reading).toEqual({
      confidence: 0,
      paragraphs: [],
      quotes: [],
      conflict: false,
      nearest: [],
    });
    expect(run).not.toHaveBeenCalled();
  });
});
