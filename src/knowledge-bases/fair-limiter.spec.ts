import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Problem } from '../platform/problems/problem.js';
import { FairLimiter, QUESTION_LIMITS } from './fair-limiter.js';

/** Tasks that end by `end`. A name is a user, a knowledge base and a number: `m-a1`. */
class Tasks {
  readonly started: string[] = [];
  readonly refused: unknown[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly limiter: FairLimiter) {}

  add(...names: string[]): void {
    for (const name of names) this.addUntil(undefined, name);
  }

  addUntil(signal: AbortSignal | undefined, name: string): void {
    const [userId = '', rest = ''] = name.split('-');
    const fairShare = { userId, kbId: `${userId}-${rest.replace(/[0-9]/g, '')}` };
    this.limiter
      .run(fairShare, signal, () => {
        this.started.push(name);
        return new Promise<void>((resolve) => this.ends.set(name, resolve));
      })
      .catch((error: unknown) => this.refused.push(error));
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await settled();
  }

  /** Ends each task as soon as it is the only one that runs. */
  async endInOrder(): Promise<readonly string[]> {
    await settled();
    for (let ended = 0; ended < this.started.length; ended++) {
      await this.end(this.started[ended] ?? '');
    }
    return this.started;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const names = (count: number, name: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => name(n));

describe(FairLimiter.name, () => {
  let now = 0;
  const tasks = (slots: number) => new Tasks(new FairLimiter(slots, QUESTION_LIMITS));

  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('goes round users first, and then round the knowledge bases of each', async () => {
    const all = tasks(1);
    all.add('m-a1', 'm-a2', 'm-b1', 'm-b2', 'm-c1', 'm-d1');
    all.add('n-x1', 'n-x2', 'n-y1');
    all.add('o-z1');
    expect(await all.endInOrder()).toEqual([
      ...['m-a1', 'n-x1', 'o-z1'],
      ...['m-b1', 'n-y1'],
      ...['m-c1', 'n-x2'],
      ...['m-d1', 'm-a2', 'm-b2'],
    ]);
  });

  it('serves a user after one task of another, who has a hundred knowledge bases', async () => {
    const all = tasks(1);
    all.add(...names(100, (n) => `m-${'x'.repeat(n)}1`));
    await settled();
    all.add('n-a1', 'n-a2');
    const started = await all.endInOrder();
    expect([started.indexOf('n-a1'), started.indexOf('n-a2')]).toEqual([1, 3]);
  });

  it('leaves one slot to others, whatever one user asks', async () => {
    const all = tasks(4);
    all.add(...names(100, (n) => `m-${'x'.repeat(n)}1`));
    await settled();
    expect(all.started).toHaveLength(3);
    all.add('n-a1', 'o-a1');
    await settled();
    expect(all.started.slice(3)).toEqual(['n-a1']);
    await all.end('m-1');
    expect(all.started.slice(4)).toEqual(['o-a1']);
  });

  it('gives one knowledge base at most half of the slots', async () => {
    const all = tasks(4);
    all.add('m-a1', 'm-a2', 'm-a3', 'm-a4', 'm-b1', 'm-b2');
    await settled();
    expect(all.started).toEqual(['m-a1', 'm-a2', 'm-b1']);
  });

  it.each([1, 2])('gives a user one of %d slots', async (slots) => {
    const all = tasks(slots);
    all.add('m-a1', 'm-b1');
    await settled();
    expect(all.started).toEqual(['m-a1']);
  });

  it('gives a user a single slot for as long as a slow task took', async () => {
    const all = tasks(4);
    all.add('m-a1', 'm-b1', 'm-c1');
    await settled();
    now = 1000;
    await all.end('m-a1');
    await all.end('m-b1');
    await all.end('m-c1');
    all.add('m-d1', 'm-e1', 'm-f1');
    await settled();
    expect(all.started.slice(3)).toEqual(['m-d1']);
    // Quick tasks meanwhile change nothing.
    for (const name of ['m-d1', 'm-e1', 'm-f1']) {
      expect(all.started.at(-1)).toBe(name);
      await all.end(name);
    }
    now = 2000;
    all.add('m-g1', 'm-h1', 'm-i1');
    await settled();
    expect(all.started.slice(6)).toEqual(['m-g1', 'm-h1', 'm-i1']);
  });

  it('refuses a knowledge base that has too many waiting, and no other', async () => {
    const all = tasks(2);
    all.add(...names(600, (n) => `m-a${n}`), 'm-b1', 'n-a1');
    await settled();
    expect(all.started).toEqual(['m-a0', 'n-a1']);
    expect(all.refused).toHaveLength(600 - 1 - 512);
    for (const refusal of all.refused) {
      expect(refusal).toMatchObject({
        code: 'knowledge_base_busy',
        headers: { 'retry-after': '1' },
      });
    }
  });

  it('refuses a user who has too many waiting in all knowledge bases, and no other', async () => {
    const all = tasks(2);
    all.add(...names(1100, (n) => `m-${'x'.repeat(n % 100)}${n}`), 'n-a1');
    await settled();
    expect(all.started).toHaveLength(2);
    expect(all.refused).toHaveLength(1100 - 1 - 1024);
  });

  it('refuses what has waited too long', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
    const all = tasks(1);
    all.add('m-a1', 'm-a2');
    jest.advanceTimersByTime(10_000);
    await settled();
    expect(all.refused).toEqual([expect.any(Problem)]);
    await all.end('m-a1');
    expect(all.started).toEqual(['m-a1']);
  });

  it('refuses nothing without limits', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
    const all = new Tasks(new FairLimiter(1));
    all.add(...names(2000, (n) => `m-a${n}`));
    jest.advanceTimersByTime(60_000);
    await settled();
    expect(all.refused).toEqual([]);
  });

  it('forgets a task for whose result nobody waits any more', async () => {
    const all = tasks(1);
    const client = new AbortController();
    all.add('m-a1');
    all.addUntil(client.signal, 'm-a2');
    all.add('m-a3');
    const reason = new Error('gone');
    client.abort(reason);
    await settled();
    expect(all.refused).toEqual([reason]);
    await all.end('m-a1');
    expect(all.started).toEqual(['m-a1', 'm-a3']);
  });
});
