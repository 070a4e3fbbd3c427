import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { PostingList } from '@latchkey/ranking/posting-block';
import { PostingCache } from './posting-cache.js';

const KB = 'kb_1';
const listOf = (numbers: readonly number[]): PostingList => ({
  numbers: Float64Array.from(numbers),
  frequencies: Uint16Array.from(numbers, (number) => number % 7),
  tokens: Uint16Array.from(numbers, (number) => number % 5),
});

/** An index whose blocks begin at each ten. */
class Index {
  readonly words = new Map<string, Set<number>>();
  read = 0;

  readonly from = (stems: readonly string[], from: readonly number[]) => {
    const lists = stems.map((stem, index) => {
      const numbers = [...(this.words.get(stem) ?? [])].sort((one, other) => one - other);
      const first = Math.floor((from[index] ?? 0) / 10) * 10;
      return listOf(numbers.filter((number) => number >= first));
    });
    this.read += lists.reduce((sum, { numbers }) => sum + numbers.length, 0);
    return Promise.resolve(lists);
  };
}

const isCurrent = () => true;

describe(PostingCache.name, () => {
  it('gives what the index has, whatever changes', async () => {
    const stem = fc.constantFrom('a', 'b', 'c');
    const change = fc.tuple(stem, fc.integer({ min: 1, max: 100 }), fc.boolean());
    const step = fc.tuple(fc.array(change, { maxLength: 4 }), fc.uniqueArray(stem));
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.nat(60), async (steps, maxPostings) => {
        const [index, cache] = [new Index(), new PostingCache(maxPostings)];
        for (const [changes, asked] of steps) {
          for (const [word, number, isAdded] of changes) {
            const numbers = index.words.get(word) ?? new Set();
            index.words.set(word, numbers);
            if (isAdded) numbers.add(number);
            else numbers.delete(number);
            cache.invalidate(KB, number);
          }
          const got = await cache.get(KB, asked, index.from, isCurrent);
          const zeros = asked.map(() => 0);
          expect(got).toEqual(await index.from(asked, zeros));
        }
      }),
    );
  });

  it('reads again only from the change on, and of the same knowledge base', async () => {
    const [index, cache] = [new Index(), new PostingCache()];
    index.words.set('a', new Set(Array.from({ length: 1000 }, (_, number) => number)));
    await cache.get(KB, ['a'], index.from, isCurrent);
    expect(index.read).toBe(1000);
    index.words.get('a')?.add(1000);
    cache.invalidate(KB, 1000);
    cache.invalidate('kb_2', 0);
    await cache.get(KB, ['a'], index.from, isCurrent);
    expect(index.read).toBe(1001);
  });

  it('keeps nothing that was read while the index changed', async () => {
    const [index, cache] = [new Index(), new PostingCache()];
    index.words.set('a', new Set([1]));
    await cache.get(KB, ['a'], index.from, () => false);
    index.words.get('a')?.add(2);
    const [list] = await cache.get(KB, ['a'], index.from, isCurrent);
    expect([...(list?.numbers ?? [])]).toEqual([1, 2]);
  });

  it('reads again what somebody else has noticed to change while it was read', async () => {
    const [index, cache] = [new Index(), new PostingCache()];
    const get = async (stem: string, read = index.from) => [
      ...((await cache.get(KB, [stem], read, isCurrent))[0]?.numbers ?? []),
    ];
    for (const stem of ['a', 'b']) index.words.set(stem, new Set([1]));
    await get('b');
    const late = async (stems: readonly string[], from: readonly number[]) => {
      const lists = await index.from(stems, from);
      for (const stem of ['a', 'b']) index.words.get(stem)?.add(2);
      cache.invalidate(KB, 2);
      return lists;
    };
    expect(await get('a', late)).toEqual([1]);
    expect(await get('a')).toEqual([1, 2]);
    expect(await get('b')).toEqual([1, 2]);
  });

  it('keeps what one search adds to a list when another adds to the same later', async () => {
    const [index, cache] = [new Index(), new PostingCache()];
    const words = new Set([...Array(100).keys()]);
    index.words.set('a', words);
    const get = (read = index.from, isCurrentThen = isCurrent) =>
      cache.get(KB, ['a'], read, isCurrentThen);
    await get();
    // The copy has room for more.
    words.add(100);
    cache.invalidate(KB, 100);
    await get();
    words.add(102);
    cache.invalidate(KB, 101);
    const late = async () => {
      await get();
      return [listOf([100, 101])];
    };
    await get(late, () => false);
    const [list] = await get();
    expect(list).toEqual(listOf([...words]));
  });
});
