import { describe, expect, it } from '@jest/globals';
import { isCancelled, runCancellable } from './cancellation.js';

describe(runCancellable, () => {
  it('returns what the task returns, also without a signal', async () => {
    const { signal } = new AbortController();
    const task = (cancelled: Int32Array) => Promise.resolve(isCancelled(cancelled));
    expect(await runCancellable(signal, task)).toBe(false);
    expect(await runCancellable(undefined, task)).toBe(false);
  });

  it('tells the task that the client has disconnected, and throws the reason afterwards', async () => {
    const client = new AbortController();
    const reason = new Error('The client has disconnected');
    const ended: boolean[] = [];
    const running = runCancellable(client.signal, async (cancelled) => {
      client.abort(reason);
      await Promise.resolve();
      ended.push(isCancelled(cancelled));
    });
    await expect(running).rejects.toBe(reason);
    expect(ended).toEqual([true]);
  });

  it('throws the error of the task', async () => {
    const error = new Error('failed');
    await expect(runCancellable(undefined, () => Promise.reject(error))).rejects.toBe(error);
  });
});
