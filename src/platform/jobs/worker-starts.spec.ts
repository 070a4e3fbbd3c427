import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { WorkerStarts } from './worker-starts.js';

describe(WorkerStarts.name, () => {
  const start = jest.fn();
  let isServing: boolean;
  let starts: WorkerStarts;

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    start.mockReset();
    isServing = false;
    starts = new WorkerStarts('reader', { start, isServing: () => isServing });
  });
  afterEach(() => {
    starts.close();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const missing = new Error('Cannot find module');
  const fail = (times: number) => {
    for (let n = 0; n < times; n++) {
      starts.failed(missing);
      if (n < times - 1) jest.runOnlyPendingTimers();
    }
  };

  it('is available until a start fails, and again when one succeeds', () => {
    expect(starts.isAvailable).toBe(true);
    starts.failed(missing);
    expect(starts.isAvailable).toBe(false);
    starts.succeeded();
    expect(starts.isAvailable).toBe(true);
    jest.runAllTimers();
    expect(start).not.toHaveBeenCalled();
  });

  it('tries again by itself after pauses that double, up to ten seconds', () => {
    const pauses = Array.from({ length: 7 }, () => {
      starts.failed(missing);
      const pause = starts.unavailable().retryAfterMs;
      jest.advanceTimersByTime(pause - 1);
      const before = start.mock.calls.length;
      jest.advanceTimersByTime(1);
      expect(start.mock.calls.length).toBe(before + 1);
      return pause;
    });
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  it('begins with a short pause again after a success', () => {
    fail(4);
    starts.succeeded();
    starts.failed(missing);
    expect(starts.unavailable().retryAfterMs).toBe(500);
  });

  it('tries again after an attempt that throws', () => {
    starts.failed(missing);
    start.mockImplementationOnce(() => {
      throw new Error('EAGAIN');
    });
    jest.advanceTimersByTime(500);
    expect(starts.unavailable().retryAfterMs).toBe(1000);
    jest.advanceTimersByTime(1000);
    expect(start).toHaveBeenCalledTimes(2);
  });

  it('says for how long to wait, which becomes shorter', () => {
    starts.failed(missing);
    jest.advanceTimersByTime(300);
    expect(starts.unavailable()).toMatchObject({ retryAfterMs: 200 });
  });

  it('is failing after three failures in a row, and not while an older one still serves', () => {
    fail(2);
    expect(WorkerStarts.failing).toEqual([]);
    jest.runOnlyPendingTimers();
    starts.failed(missing);
    expect(WorkerStarts.failing).toEqual(['reader']);
    isServing = true;
    expect(WorkerStarts.failing).toEqual([]);
    isServing = false;
    starts.succeeded();
    expect(WorkerStarts.failing).toEqual([]);
  });

  it('counts every failure, and pauses once for those of one moment', () => {
    const before = WorkerStarts.failures.get('reader') ?? 0;
    for (let n = 0; n < 4; n++) starts.failed(missing);
    expect(WorkerStarts.failures.get('reader')).toBe(before + 4);
    expect(starts.unavailable().retryAfterMs).toBe(500);
    expect(WorkerStarts.failing).toEqual([]);
  });

  it('tries nothing more once it is closed, and is not failing', () => {
    fail(3);
    starts.close();
    jest.runAllTimers();
    starts.failed(missing);
    jest.runAllTimers();
    expect(start).toHaveBeenCalledTimes(2);
    expect(WorkerStarts.failing).toEqual([]);
  });
});
