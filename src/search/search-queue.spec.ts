import { describe, expect, it, jest } from '@jest/globals';
import { Problem } from '../problems/problem.js';
import { SearchQueue } from './search-queue.js';

/** Searches that end when they are told to. */
class Searches {
  readonly started: string[] = [];
  readonly refused: unknown[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly queue: SearchQueue) {}

  ask(kbId: string, name = kbId, signal?: AbortSignal): void {
    this.queue
      .run(kbId, signal, () => {
        this.started.push(name);
        return new Promise<void>((resolve) => this.ends.set(name, resolve));
      })
      .catch((error: unknown) => this.refused.push(error));
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe(SearchQueue.name, () => {
  const searches = (slots: number) => new Searches(new SearchQueue(slots));

  it('gives one knowledge base half of the slots at most, and others the rest', async () => {
    const all = searches(4);
    for (const name of ['a1', 'a2', 'a3', 'a4']) all.ask('a', name);
    all.ask('b');
    all.ask('c');
    await settled();
    expect(all.started).toEqual(['a1', 'a2', 'b', 'c']);
  });

  it('gives one knowledge base a single slot while its searches take long', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const all = searches(4);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) all.ask('a', name);
    await settled();
    now.mockReturnValue(1000);
    await all.end('a1');
    expect(all.started).toEqual(['a1', 'a2']);
    await all.end('a2');
    expect(all.started).toEqual(['a1', 'a2', 'a3']);
    await all.end('a3');
    expect(all.started).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
    now.mockRestore();
  });

  it('goes from one knowledge base to the next, whoever has more waiting', async () => {
    const all = searches(1);
    for (const name of ['a1', 'a2', 'a3']) all.ask('a', name);
    for (const name of ['b1', 'b2']) all.ask('b', name);
    all.ask('c', 'c1');
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
      await settled();
      expect(all.started.at(-1)).toBe(name);
      await all.end(name);
    }
    expect(all.started).toHaveLength(6);
  });

  it('refuses a knowledge base that has too many waiting, and no other', async () => {
    const all = searches(2);
    for (let count = 0; count < 600; count++) all.ask('a', `a${count}`);
    all.ask('b');
    await settled();
    expect(all.started).toEqual(['a0', 'b']);
    expect(all.refused).toHaveLength(600 - 1 - 512);
    for (const refusal of all.refused) {
      expect(refusal).toMatchObject({
        code: 'knowledge_base_busy',
        headers: { 'retry-after': '1' },
      });
    }
  });

  it('refuses what has waited too long', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const all = searches(1);
      all.ask('a', 'a1');
      all.ask('a', 'a2');
      jest.advanceTimersByTime(10_000);
      await settled();
      expect(all.refused).toEqual([expect.any(Problem)]);
      await all.end('a1');
      expect(all.started).toEqual(['a1']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('forgets a search whose client has left while it waited', async () => {
    const all = searches(1);
    const client = new AbortController();
    all.ask('a', 'a1');
    all.ask('a', 'a2', client.signal);
    all.ask('a', 'a3');
    const reason = new Error('gone');
    client.abort(reason);
    await settled();
    expect(all.refused).toEqual([reason]);
    await all.end('a1');
    expect(all.started).toEqual(['a1', 'a3']);
  });
});
