import { describe, expect, it, jest } from '@jest/globals';
import { afterRunningFor } from './running-time.js';

const STEP_MS = 5;

/** As a process that is stopped: no timer fires meanwhile, and all that are due fire afterwards. */
const standStill = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

const steps = async (count: number) => {
  for (let step = 0; step < count; step++) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
};

describe(afterRunningFor.name, () => {
  it('calls back after the time', async () => {
    await new Promise<void>((resolve) => {
      afterRunningFor(12, resolve, STEP_MS);
    });
  });

  it('counts no time in which the process stood still', async () => {
    const callback = jest.fn();
    const called = new Promise<void>((resolve) => {
      afterRunningFor(
        10 * STEP_MS,
        () => {
          callback();
          resolve();
        },
        STEP_MS,
      );
    });
    standStill(20 * STEP_MS);
    await steps(2);
    expect(callback).not.toHaveBeenCalled();
    await called;
  });

  it('calls nobody back once it is cancelled', async () => {
    const callback = jest.fn();
    const cancel = afterRunningFor(2 * STEP_MS, callback, STEP_MS);
    await steps(1);
    cancel();
    await steps(4);
    expect(callback).not.toHaveBeenCalled();
  });
});
