import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Problem } from '../platform/problems/problem.js';
import { quotaHeaders, RateLimiter } from './rate-limiter.js';

const NOW = Date.parse('2027-03-01T12:00:00Z');

describe(RateLimiter, () => {
  let limiter: RateLimiter;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    limiter = new RateLimiter({
      counter: new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 60 }),
      close: () => undefined,
    });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const use = async (key: string, limit: number) => {
    try {
      return (await limiter.consumeForKey(key, limit)).remaining;
    } catch (error) {
      return error instanceof Problem ? error.code : error;
    }
  };

  it('allows as many requests in a window as the limit says', async () => {
    const answers = [await use('a', 2), await use('a', 2), await use('a', 2)];
    expect(answers).toEqual([1, 0, 'rate_limited']);
  });

  it('begins anew when the window has ended, and not before', async () => {
    await use('a', 1);
    jest.advanceTimersByTime(59_900);
    expect(await use('a', 1)).toBe('rate_limited');
    jest.advanceTimersByTime(100);
    expect(await use('a', 1)).toBe(0);
  });

  it('counts keys and addresses apart', async () => {
    await use('a', 1);
    expect(await use('b', 1)).toBe(0);
    expect((await limiter.consumeForAddress('leaks', 'a', 1)).remaining).toBe(0);
    await expect(limiter.consumeForAddress('leaks', 'a', 1)).rejects.toThrow(Problem);
  });

  it('counts of an address the work that fails, and does none beyond the limit', async () => {
    const done: string[] = [];
    const work = (name: string) =>
      limiter.limitFailures('exchange', '192.0.2.1', 2, () => {
        done.push(name);
        return name === 'wrong' ? Promise.reject(new Error(name)) : Promise.resolve(name);
      });
    for (let n = 0; n < 3; n++) expect(await work('right')).toBe('right');
    for (let n = 0; n < 2; n++) await expect(work('wrong')).rejects.toThrow('wrong');
    for (const name of ['wrong', 'right']) await expect(work(name)).rejects.toThrow(Problem);
    expect(done).toEqual(['right', 'right', 'right', 'wrong', 'wrong']);
    jest.advanceTimersByTime(60_000);
    expect(await work('right')).toBe('right');
  });

  it('counts an address of IPv6 as all of its network', async () => {
    await limiter.consumeForAddress('leaks', '2001:db8::1', 1);
    await expect(limiter.consumeForAddress('leaks', '2001:db8::2', 1)).rejects.toThrow(Problem);
    expect((await limiter.consumeForAddress('leaks', '2001:db8:0:1::1', 1)).remaining).toBe(0);
  });

  it('counts end users of a key, and users, apart from it and from each other', async () => {
    expect((await limiter.consumeForEndUser('a', 'ann', 1)).remaining).toBe(0);
    await expect(limiter.consumeForEndUser('a', 'ann', 1)).rejects.toThrow(Problem);
    expect((await limiter.consumeForEndUser('a', 'bob', 1)).remaining).toBe(0);
    expect((await limiter.consumeForEndUser('b', 'ann', 1)).remaining).toBe(0);
    expect((await limiter.consumeForUser('playground', 'ann', 1)).remaining).toBe(0);
    expect(await use('a', 1)).toBe(0);
  });

  it('gives a request back to its key', async () => {
    await use('a', 1);
    await limiter.returnToKey('a');
    expect([await use('a', 1), await use('a', 1)]).toEqual([0, 'rate_limited']);
  });

  it('compares the count with a limit that was changed within the window', async () => {
    await use('a', 10);
    await use('a', 10);
    expect([await use('a', 2), await use('a', 10)]).toEqual(['rate_limited', 6]);
  });

  it('begins anew when the clock is set back', async () => {
    await use('a', 1);
    jest.setSystemTime(NOW - 3_600_000);
    expect([await use('a', 1), await use('a', 1)]).toEqual([0, 'rate_limited']);
  });

  it('says what is left, and when to come back', async () => {
    expect(quotaHeaders(await limiter.consumeForKey('a', 1))).toEqual({
      'ratelimit-policy': '"per-key";q=1;w=60',
      ratelimit: '"per-key";r=0;t=60',
    });
    const both = [
      await limiter.consumeForKey('b', 5),
      await limiter.consumeForEndUser('b', 'ann', 2),
    ];
    expect(quotaHeaders(...both)).toEqual({
      'ratelimit-policy': '"per-key";q=5;w=60, "per-end-user";q=2;w=60',
      ratelimit: '"per-key";r=4;t=60, "per-end-user";r=1;t=60',
    });
    jest.advanceTimersByTime(10_500);
    await expect(limiter.consumeForKey('a', 1)).rejects.toMatchObject({
      headers: { 'retry-after': '50', ratelimit: '"per-key";r=0;t=50' },
    });
  });
});
