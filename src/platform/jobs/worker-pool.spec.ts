import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { WorkerDiedError, WorkerUnavailableError } from './worker-errors.js';
import { WorkerPool } from './worker-pool.js';
import { WorkerStarts } from './worker-starts.js';

/** As worker-thread.ts, which Jest does not compile for threads. */
const PROTOCOL = `
  const { parentPort, threadId } = require('node:worker_threads');
  parentPort.on('message', ({ name, task }) => {
    if (name === 'die') process.exit(3);
    if (name === 'throw') throw new Error('broken');
    if (name === 'fail') parentPort.postMessage({ error: new RangeError(task) });
    else if (name === 'meet') {
      // Two of these tasks end only when both have begun.
      Atomics.add(task, 0, 1);
      Atomics.notify(task, 0);
      while (Atomics.load(task, 0) < 2) Atomics.wait(task, 0, 1);
      parentPort.postMessage({ result: threadId });
    } else if (name === 'signal') {
      parentPort.postMessage({ result: threadId });
      Atomics.store(task, 0, 1);
      Atomics.notify(task, 0);
    } else if (name === 'wait') setTimeout(() => parentPort.postMessage({ result: threadId }), task);
    else parentPort.postMessage({ result: threadId });
  });
  setImmediate(() => parentPort.postMessage({ ready: true }));
`;

/** Threads that run `code`, which a test may change as a new build would. */
class TestPool extends WorkerPool<unknown, number> {
  code = PROTOCOL;
  /** As of a system that allows no further thread. */
  refusal: Error | undefined;
  readonly workers: Worker[] = [];

  /** Held by those that start, until a test lets them go on. */
  readonly gate = new Int32Array(new SharedArrayBuffer(4));

  constructor(maxThreads = 1, idleTimeout = Infinity, maxStartWaitMs?: number) {
    super(new URL('file:///test.worker.js'), {
      ...{ maxThreads, idleTimeout },
      ...(maxStartWaitMs !== undefined && { maxStartWaitMs, part: 'Search' }),
    });
  }

  protected override createWorker(): Worker {
    if (this.refusal) throw this.refusal;
    const worker = new Worker(this.code, { eval: true, workerData: this.gate });
    this.workers.push(worker);
    return worker;
  }
}

describe(WorkerPool.name, () => {
  let pool: TestPool;

  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    pool = new TestPool();
  });
  afterEach(async () => {
    await pool.destroy();
    jest.restoreAllMocks();
  });

  const outcomes = async (tasks: Promise<unknown>[]) =>
    (await Promise.allSettled(tasks)).map((task) =>
      task.status === 'fulfilled' ? 'done' : (task.reason as Error).name,
    );

  it('runs the tasks one after the other in a thread that it keeps', async () => {
    const threads = await Promise.all([pool.run(1), pool.run(2), pool.run(3)]);
    expect(new Set(threads).size).toBe(1);
    expect(pool.workers).toHaveLength(1);
  });

  it('starts more threads for tasks that wait, as many as it may', async () => {
    await pool.destroy();
    pool = new TestPool(2);
    const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const meet = () => pool.run(begun, { name: 'meet' });
    const threads = await Promise.all([meet(), meet(), pool.run(3), pool.run(4)]);
    expect(new Set(threads).size).toBe(2);
    expect(pool.workers).toHaveLength(2);
  });

  it('fails a task with its error, and goes on', async () => {
    const error = { name: 'RangeError', message: 'too large' };
    await expect(pool.run('too large', { name: 'fail' })).rejects.toMatchObject(error);
    await expect(pool.run(() => 1)).rejects.toThrow('could not be cloned');
    expect(await pool.run(1)).toEqual(expect.any(Number));
    expect(pool.workers).toHaveLength(1);
  });

  it.each(['die', 'throw'])(
    'fails only the task in which a thread ends (%s), and runs the others in another',
    async (name) => {
      const tasks = [pool.run(1), pool.run(2, { name }), pool.run(3), pool.run(4)];
      expect(await outcomes(tasks)).toEqual(['done', WorkerDiedError.name, 'done', 'done']);
      expect(pool.workers).toHaveLength(2);
      expect(pool.isAvailable).toBe(true);
    },
  );

  it.each([
    ['throws at load', 'throw new Error("broken build")'],
    ['ends at load', 'process.exit(0)'],
    ['fails just after it is loaded', `${PROTOCOL} Promise.reject(new Error('late'))`],
  ])('fails all tasks at once where the module %s', async (_, code) => {
    pool.code = code;
    const tasks = [pool.run(1), pool.run(2), pool.run(3)];
    expect(await outcomes(tasks)).toEqual(tasks.map(() => WorkerUnavailableError.name));
    expect(pool.isAvailable).toBe(false);
    await expect(pool.run(4)).rejects.toThrow(WorkerUnavailableError);
    expect(pool.workers).toHaveLength(1);
  });

  it('works again by itself when the module can be loaded', async () => {
    pool.code = 'throw new Error("broken build")';
    await expect(pool.run(1)).rejects.toThrow(WorkerUnavailableError);
    pool.code = PROTOCOL;
    const retry = jest.spyOn(pool, 'run');
    while (!pool.isAvailable) await new Promise((resolve) => setImmediate(resolve));
    expect(retry).not.toHaveBeenCalled();
    expect(await pool.run(2)).toEqual(expect.any(Number));
  });

  describe('with a thread that starts slowly', () => {
    const SLOW = `Atomics.wait(require('node:worker_threads').workerData, 0, 0); ${PROTOCOL}`;
    const letStart = () => {
      Atomics.store(pool.gate, 0, 1);
      Atomics.notify(pool.gate, 0);
    };

    it('lets tasks wait for it', async () => {
      pool.code = SLOW;
      const tasks = [pool.run(1), pool.run(2)];
      letStart();
      expect(await outcomes(tasks)).toEqual(['done', 'done']);
    });

    it('refuses tasks that have waited for too long, and says so until it has started', async () => {
      await pool.destroy();
      pool = new TestPool(1, Infinity, 10);
      pool.code = SLOW;
      await expect(pool.run(1)).rejects.toMatchObject({
        name: WorkerUnavailableError.name,
        part: 'Search',
      });
      expect(WorkerStarts.late).toEqual(['test']);
      letStart();
      while (WorkerStarts.late.length > 0) await new Promise((resolve) => setImmediate(resolve));
      expect(await pool.run(2)).toEqual(expect.any(Number));
      expect(pool.workers).toHaveLength(1);
    });

    it('lets tasks wait for the next try after one that failed', async () => {
      pool.code = 'throw new Error("broken build")';
      await expect(pool.run(1)).rejects.toThrow(WorkerUnavailableError);
      expect(WorkerStarts.areStarting).toBe(true);
      pool.code = SLOW;
      while (pool.workers.length < 2) await new Promise((resolve) => setImmediate(resolve));
      const task = pool.run(2);
      letStart();
      expect(await task).toEqual(expect.any(Number));
      expect(WorkerStarts.areStarting).toBe(false);
    });
  });

  it('fails all tasks at once where the system allows no thread, until it does', async () => {
    pool.refusal = new Error('EAGAIN');
    const tasks = [pool.run(1), pool.run(2)];
    expect(await outcomes(tasks)).toEqual(tasks.map(() => WorkerUnavailableError.name));
    expect(pool.isAvailable).toBe(false);
    pool.refusal = undefined;
    while (!pool.isAvailable) await new Promise((resolve) => setImmediate(resolve));
    // A thread dies, and none can take its place.
    pool.refusal = new Error('EAGAIN');
    const last = [pool.run(1, { name: 'die' }), pool.run(2)];
    expect(await outcomes(last)).toEqual([WorkerDiedError.name, WorkerUnavailableError.name]);
  });

  it('serves with the threads that it has while others cannot be started', async () => {
    await pool.destroy();
    pool = new TestPool(2);
    const first = await pool.run(1);
    pool.code = 'throw new Error("broken build")';
    const wait = () => pool.run(20, { name: 'wait' });
    expect(await Promise.all([wait(), wait(), wait()])).toEqual([first, first, first]);
    expect(pool.isAvailable).toBe(true);
    // The last thread dies: nothing waits for one that never comes.
    const last = [pool.run(1, { name: 'die' }), pool.run(2)];
    expect(await outcomes(last)).toEqual([WorkerDiedError.name, WorkerUnavailableError.name]);
  });

  it('ends a thread that has no task for a while, and starts another for the next', async () => {
    await pool.destroy();
    pool = new TestPool(1, 10);
    const first = await pool.run(1);
    if (pool.workers[0]) await once(pool.workers[0], 'exit');
    expect(await pool.run(2)).not.toBe(first);
  });

  it('keeps the process until a thread has ended that answers meanwhile', async () => {
    await pool.run(0);
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const answer = pool.run(answered, { name: 'signal' });
    Atomics.wait(answered, 0, 0);
    const unref = jest.spyOn(Worker.prototype, 'unref');
    await Promise.all([pool.destroy(), outcomes([answer])]);
    expect(unref).not.toHaveBeenCalled();
  });

  it('fails what is not done when it is destroyed', async () => {
    const tasks = [pool.run(60_000, { name: 'wait' }), pool.run(1)];
    const ended = outcomes(tasks);
    await pool.destroy();
    expect(await ended).toEqual(['Error', 'Error']);
    await expect(pool.run(1)).rejects.toThrow('have been ended');
  });
});
