import { describe, expect, it } from '@jest/globals';
import { SearchDeadline } from './search-deadline.js';

const VALUES = Array.from({ length: 500 }, (_, index) => index);

/** Blocks the thread. */
function spin(milliseconds: number): void {
  for (const start = performance.now(); performance.now() - start < milliseconds;);
}

/** How many turns of the event loop other work gets meanwhile. */
async function turnsBeside(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns++;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  await work;
  clearImmediate(immediate);
  return turns;
}

describe(SearchDeadline.name, () => {
  it('gives other work its turns while many values are mapped', async () => {
    const deadline = new SearchDeadline(Infinity, () => false);
    const mapping = deadline.map(VALUES, (value) => {
      spin(0.5);
      return value + 1;
    });
    expect(await turnsBeside(mapping)).toBeGreaterThan(10);
    expect(await mapping).toEqual(VALUES.map((value) => value + 1));
  });

  it('pauses in a long search whose thread serves requests, and only there', async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const [pausing, other] = [true, false].map(
      (servesRequests) => new SearchDeadline(Infinity, () => false, { servesRequests }),
    );
    spin(60);
    const before = timers();
    const pause = pausing?.yield();
    expect(timers()).toBe(before + 1);
    const turn = other?.yield();
    expect(timers()).toBe(before + 1);
    await Promise.all([pause, turn]);
  });
});
