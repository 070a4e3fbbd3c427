import { describe, expect, it } from '@jest/globals';
import { SearchDeadline } from './search-deadline.js';

const VALUES = Array.from({ length: 500 }, (_, index) => index);

/** Blocks the thread. */
function spin(milliseconds: number): void {
  for (const start = performance.now(); performance.now() - start < milliseconds;);
}

describe(SearchDeadline.name, () => {
  it('gives other work its turns while many values are mapped', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const deadline = new SearchDeadline(Infinity, () => false);
    const mapped = await deadline.map(VALUES, (value) => {
      spin(0.5);
      return value + 1;
    });
    clearImmediate(immediate);
    expect(mapped).toEqual(VALUES.map((value) => value + 1));
    expect(turns).toBeGreaterThan(10);
  });
});
