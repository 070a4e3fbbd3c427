import { describe, expect, it } from '@jest/globals';
import { APIConnectionError, APIError } from 'openai';
import { retryOnce } from './retry-once.js';

const refused = (status: number, retryAfter?: string) =>
  APIError.generate(
    status,
    {},
    'refused',
    new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  );

/** Fails with these errors, one after the other, then succeeds. */
function attempt(...errors: Error[]) {
  const times: number[] = [];
  const start = performance.now();
  const send = () => {
    times.push(performance.now() - start);
    const error = errors.shift();
    return error ? Promise.reject(error) : Promise.resolve('answer');
  };
  const { signal } = new AbortController();
  return { times, result: retryOnce(send, { timeoutMs: 1000, signal }) };
}

describe(retryOnce.name, () => {
  it.each([
    ['a lost connection', new APIConnectionError({}), 500],
    ['a busy provider', refused(503), 500],
    ['a limit, after the time it says', refused(429, '0.2'), 200],
    ['a date that has passed, at once', refused(503, 'Thu, 01 Jan 1970 00:00:00 GMT'), 0],
  ])('tries again after %s', async (_, error, pauseMs) => {
    const { times, result } = attempt(error);
    expect(await result).toBe('answer');
    expect(times).toHaveLength(2);
    // Timers may fire a moment early.
    expect(times[1]).toBeGreaterThan(pauseMs - 10);
  });

  it.each([
    ['a request that is wrong', refused(400)],
    ['a rejected key', refused(401)],
    ['a pause longer than the time limit', refused(503, '3600')],
    ['anything else', new Error('refused')],
  ])('fails at once after %s', async (_, error) => {
    const { times, result } = attempt(error);
    await expect(result).rejects.toBe(error);
    expect(times).toHaveLength(1);
  });

  it('tries no third time', async () => {
    const { times, result } = attempt(refused(503, '0'), refused(500), refused(500));
    await expect(result).rejects.toMatchObject({ status: 500 });
    expect(times).toHaveLength(2);
  });

  it('stops waiting when its signal is aborted', async () => {
    const abort = new AbortController();
    const send = () => Promise.reject(refused(503));
    const result = retryOnce(send, { timeoutMs: 1000, signal: abort.signal });
    setImmediate(() => {
      abort.abort();
    });
    await expect(result).rejects.toMatchObject({ name: 'AbortError' });
  });
});
