import { describe, expect, it } from '@jest/globals';
import { CODE_ROWS, CodeIndexCache } from './code-index-cache.js';

const CODE = new Uint8Array(16);
/** Rows of passages that need two more reads than one question makes for a new index. */
const PASSAGES = 12 * CODE_ROWS;

function stored() {
  let numbers = Array.from({ length: PASSAGES }, (_, index) => index + 1);
  let reads = 0;
  return {
    remove: (removed: number) => {
      numbers = numbers.filter((number) => number !== removed);
    },
    read: (after: number) => {
      reads++;
      return numbers
        .filter((number) => number > after)
        .slice(0, CODE_ROWS)
        .map((number) => ({ serial: number, number, windows: 1, codes: CODE }));
    },
    takeReads: () => [reads, (reads = 0)][0],
  };
}

describe(CodeIndexCache.name, () => {
  it('keeps an index', async () => {
    const { read, remove, takeReads } = stored();
    const cache = new CodeIndexCache();
    expect((await cache.get('one', read)).has(1)).toBe(true);
    expect(takeReads()).toBe(13);
    remove(1);
    expect((await cache.get('one', read)).has(1)).toBe(true);
    expect(takeReads()).toBe(1);
    cache.forget('one');
    expect((await cache.get('one', read)).has(1)).toBe(false);
  });

  it('reads an old one anew in parts, and answers out of it until then', async () => {
    let minutes = 0;
    const { read, remove, takeReads } = stored();
    const cache = new CodeIndexCache(() => minutes * 60_000);
    await cache.get('one', read);
    remove(1);
    takeReads();
    minutes = 10;
    expect((await cache.get('one', read)).has(1)).toBe(true);
    expect(takeReads()).toBe(11);
    expect((await cache.get('one', read)).has(1)).toBe(false);
    expect(takeReads()).toBe(3);
  });

  it('reads one anew at once that is much too old, and answers out of it when that fails', async () => {
    let minutes = 0;
    const { read, remove } = stored();
    const cache = new CodeIndexCache(() => minutes * 60_000);
    await cache.get('one', read);
    remove(1);
    minutes = 30;
    const failing = (after: number) => {
      if (after > 0 && after < PASSAGES) throw new Error('out of time');
      return read(after);
    };
    expect((await cache.get('one', failing)).has(1)).toBe(true);
    expect((await cache.get('one', read)).has(1)).toBe(false);
  });
});
