import { describe, expect, it } from '@jest/globals';
import type { Embeddings } from './embeddings.js';
import { FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { SentenceVectors } from './sentence-vectors.js';
import type { StoredSentences } from './vector-store.js';

const VECTOR = Float32Array.of(0.6, 0.8);
const QUESTION = { model: 'm', whole: Float32Array.of(1, 0) };
const fairShares = new FairShareLookup({ findOne: () => Promise.resolve(null) });

/** Keeps what is stored, and remembers which texts were embedded. */
function create(inTime = Infinity, mayStore?: Promise<undefined>) {
  const embedded: string[] = [];
  /** The passages of each write. */
  const writes: string[][] = [];
  const stored = new Map<string, StoredSentences>();
  const embeddings: Embeddings = {
    ...{ model: 'm', description: 'local:m' },
    embedQuestion: () => Promise.resolve(VECTOR),
    embedPassages: () => Promise.resolve([]),
    embedSentences: (texts) => {
      embedded.push(...texts);
      return Promise.resolve(texts.slice(0, inTime).map(() => VECTOR));
    },
  };
  const store = {
    findSentences: () => Promise.resolve(stored),
    storeSentences: async (_: string, passages: ReadonlyMap<string, StoredSentences>) => {
      writes.push([...passages.keys()]);
      await mayStore;
      for (const [id, sentences] of passages) stored.set(id, sentences);
    },
  };
  return { vectors: new SentenceVectors(embeddings, store, fairShares), embedded, writes };
}

const toSentences = (...starts: number[]) =>
  starts.map((start) => ({ start, end: start + 9, embedded: `sentence at ${start}` }));

describe(SentenceVectors, () => {
  it('embeds a sentence when it is first compared, and not again', async () => {
    const { vectors, embedded } = create();
    const compare = (...starts: number[]) =>
      vectors.compare('kb', QUESTION, [{ passageId: 'chunk', sentences: toSentences(...starts) }]);
    const [sentence] = (await compare(0, 10)).get('chunk') ?? [];
    expect(sentence).toMatchObject({ start: 0, end: 9 });
    expect(sentence?.toAsked).toBeCloseTo(0.6, 2);
    const again = (await compare(10, 20)).get('chunk') ?? [];
    // Not the first sentence, which only the other question chose.
    expect(again.map(({ start }) => start)).toEqual([10, 20]);
    expect(embedded).toEqual(['sentence at 0', 'sentence at 10', 'sentence at 20']);
  });

  it('leaves out sentences whose vectors would take too long', async () => {
    const { vectors } = create(1);
    const passages = [
      { passageId: 'one', sentences: toSentences(0, 10) },
      { passageId: 'other', sentences: toSentences(20) },
    ];
    const compared = await vectors.compare('kb', QUESTION, passages);
    expect(compared.get('one')?.map(({ start }) => start)).toEqual([0]);
    expect(compared.get('other')).toEqual([]);
  });

  it('stores the passages of a question in one write, one question after the other, and drops those of many', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { vectors, writes } = create(Infinity, promise);
    const ask = (start: number) =>
      vectors.compare('kb', QUESTION, [
        { passageId: `${start}`, sentences: toSentences(start) },
        { passageId: `${start + 1}`, sentences: toSentences(start) },
      ]);
    for (let start = 0; start < 20; start += 2) await ask(start);
    expect(writes).toEqual([['0', '1']]);
    resolve(undefined);
    await vectors.onApplicationShutdown();
    expect(writes.map(([first]) => first)).toEqual(['0', '2', '4', '6']);
    await ask(30);
    await vectors.onApplicationShutdown();
    expect(writes.at(-1)).toEqual(['30', '31']);
  });

  it('compares nothing with vectors of another model, or where sentences cost money', () => {
    const { vectors } = create();
    expect(vectors.canCompare(QUESTION)).toBe(true);
    expect(vectors.canCompare({ ...QUESTION, model: 'former' })).toBe(false);
    expect(vectors.canCompare({ model: 'm' })).toBe(false);
    const store = {
      findSentences: () => Promise.reject(new Error()),
      storeSentences: () => Promise.reject(new Error()),
    };
    expect(new SentenceVectors(null, store, fairShares).canCompare(QUESTION)).toBe(false);
  });
});
