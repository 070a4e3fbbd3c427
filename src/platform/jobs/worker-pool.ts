import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterRunningFor } from './running-time.js';
import { WorkerDiedError } from './worker-errors.js';
import { WorkerStarts } from './worker-starts.js';

/**
 * A thread that has not loaded its module by then is terminated; the limit is generous for busy
 * machines.
 */
const START_TIMEOUT_MS = 60_000;

interface WorkerPoolOptions {
  readonly maxThreads: number;
  /** The time for which an idle thread is kept. */
  readonly idleTimeout: number;
  readonly workerData?: object;
  /** The time that a task waits for a first thread to start; by default until the start has failed. */
  readonly maxStartWaitMs?: number;
  /** The part of the service that its tasks belong to, as users call it. */
  readonly part?: string;
}

/** The time that a question waits for a thread to start. */
export const QUESTION_START_WAIT_MS = 10_000;

export interface ThreadTask {
  /** The name of an export of the module. */
  readonly name: string;
  readonly task: unknown;
}

export type ThreadMessage =
  { readonly ready: true } | { readonly result: unknown } | { readonly error: unknown };

interface QueuedTask<Result> extends ThreadTask {
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
  /** Removes the limit on the wait for a thread. */
  cancelStartWait?: () => void;
}

interface Thread<Result> {
  readonly worker: Worker;
  isReady: boolean;
  running?: QueuedTask<Result> | undefined;
  /** Terminates the thread when it has been idle for too long. */
  timer?: NodeJS.Timeout | undefined;
  /** Removes the limit on the start of the thread. */
  readonly cancelStartLimit: () => void;
  /** The reason for its end, if known. */
  reason?: unknown;
}

/**
 * A pool of worker threads that start on demand. A thread that dies fails only its own task; waiting
 * tasks get another thread. If none can be started, they fail at once (see WorkerStarts); while one is
 * starting, they wait.
 */
export class WorkerPool<Task = unknown, Result = unknown> {
  private readonly threads = new Set<Thread<Result>>();
  private readonly idle: Thread<Result>[] = [];
  private readonly waiting: QueuedTask<Result>[] = [];
  private readonly starts: WorkerStarts;
  private isClosed = false;

  /** @param module the module whose exports are the tasks, by name */
  constructor(
    private readonly module: URL,
    private readonly options: WorkerPoolOptions,
  ) {
    this.starts = new WorkerStarts(basename(fileURLToPath(module)).replace(/\.worker\.\w+$/, ''), {
      start: () => {
        this.start();
      },
      isServing: () => this.hasReadyThread,
      part: options.part,
    });
  }

  /** Whether a task would run now: false while no thread can be started. */
  get isAvailable(): boolean {
    return this.starts.isAvailable || this.hasReadyThread;
  }

  /**
   * @throws WorkerUnavailableError if no thread can be started
   * @throws WorkerDiedError if the thread ended during the task
   */
  async run(task: Task, { name = 'default' } = {}): Promise<Result> {
    if (this.isClosed) throw new Error('The threads have been ended');
    // A retried start may succeed now.
    if (!this.isAvailable && this.threads.size === 0) throw this.starts.unavailable();
    return new Promise((resolve, reject) => {
      const queued: QueuedTask<Result> = { name, task, resolve, reject };
      this.waiting.push(queued);
      this.limitStartWait(queued);
      this.runWaiting();
    });
  }

  /** Terminates all threads and fails the unfinished tasks. */
  async destroy(): Promise<void> {
    this.isClosed = true;
    this.starts.close();
    this.rejectWaiting(new Error('The threads have been ended'));
    await Promise.all([...this.threads].map(({ worker }) => worker.terminate()));
  }

  protected createWorker(): Worker {
    return new Worker(new URL('./worker-thread.js', import.meta.url), {
      argv: [this.module.href],
      workerData: this.options.workerData,
    });
  }

  private get hasReadyThread(): boolean {
    return [...this.threads].some(({ isReady }) => isReady);
  }

  private limitStartWait(queued: QueuedTask<Result>): void {
    const { maxStartWaitMs } = this.options;
    if (maxStartWaitMs === undefined || this.hasReadyThread) return;
    queued.cancelStartWait = afterRunningFor(maxStartWaitMs, () => {
      if (this.hasReadyThread) return;
      this.waiting.splice(this.waiting.indexOf(queued), 1);
      this.starts.late();
      queued.reject(this.starts.unavailable());
    });
  }

  private runWaiting(): void {
    while (this.waiting.length > 0 && this.idle.length > 0) {
      this.give(this.idle.pop(), this.waiting.shift());
    }
    if (this.waiting.length === 0) return;
    const starting = [...this.threads].filter(({ isReady }) => !isReady).length;
    if (this.waiting.length > starting && this.starts.isAvailable) this.start();
    if (this.threads.size === 0) this.rejectWaiting(this.starts.unavailable());
  }

  private start(): void {
    if (this.isClosed || this.threads.size >= this.options.maxThreads) return;
    const worker = this.tryToCreateWorker();
    if (!worker) return;
    const cancelStartLimit = afterRunningFor(START_TIMEOUT_MS, () => {
      thread.reason = new Error('it took too long');
      void worker.terminate();
    });
    const thread: Thread<Result> = { worker, isReady: false, cancelStartLimit };
    this.threads.add(thread);
    worker
      .on('message', (message: ThreadMessage) => {
        if ('ready' in message) {
          thread.isReady = true;
          thread.cancelStartLimit();
          this.starts.succeeded();
        } else {
          this.settle(thread, message);
        }
        this.rest(thread);
      })
      .on('messageerror', (error) => {
        this.settle(thread, { error });
        this.rest(thread);
      })
      .on('error', (error) => (thread.reason = error))
      .on('exit', (code) => {
        this.remove(thread, thread.reason ?? new Error(`it ended with exit code ${code}`));
      });
  }

  /** The constructor throws if the system allows no more threads. */
  private tryToCreateWorker(): Worker | undefined {
    try {
      return this.createWorker();
    } catch (error) {
      this.starts.failed(error);
      return undefined;
    }
  }

  private give(thread?: Thread<Result>, queued?: QueuedTask<Result>): void {
    if (!thread || !queued) return;
    clearTimeout(thread.timer);
    queued.cancelStartWait?.();
    thread.running = queued;
    const { name, task } = queued;
    try {
      thread.worker.ref();
      thread.worker.postMessage({ name, task } satisfies ThreadTask);
    } catch (error) {
      // The task cannot be copied to the thread.
      this.settle(thread, { error });
      this.rest(thread);
    }
  }

  private settle(thread: Thread<Result>, message: Exclude<ThreadMessage, { ready: true }>): void {
    const { running } = thread;
    thread.running = undefined;
    if ('result' in message) running?.resolve(message.result as Result);
    else running?.reject(message.error);
  }

  /**
   * Gives the thread the next task. An idle thread does not keep the process alive, and is terminated
   * after a while.
   */
  private rest(thread: Thread<Result>): void {
    if (this.isClosed) return;
    clearTimeout(thread.timer);
    thread.worker.unref();
    this.idle.push(thread);
    this.runWaiting();
    if (!thread.running) this.endAfter(thread, this.options.idleTimeout);
  }

  private endAfter(thread: Thread<Result>, milliseconds: number): void {
    if (milliseconds === Infinity) return;
    thread.timer = setTimeout(() => {
      const index = this.idle.indexOf(thread);
      if (index >= 0) this.idle.splice(index, 1);
      void thread.worker.terminate();
    }, milliseconds).unref();
  }

  private remove(thread: Thread<Result>, reason: unknown): void {
    clearTimeout(thread.timer);
    thread.cancelStartLimit();
    this.threads.delete(thread);
    const index = this.idle.indexOf(thread);
    if (index >= 0) this.idle.splice(index, 1);
    const died = () => new WorkerDiedError('The thread of a task has ended', { cause: reason });
    thread.running?.reject(this.isClosed ? new Error('The threads have been ended') : died());
    if (this.isClosed) return;
    if (!thread.isReady) this.starts.failed(reason);
    this.runWaiting();
  }

  private rejectWaiting(reason: Error): void {
    for (const { reject, cancelStartWait } of this.waiting.splice(0)) {
      cancelStartWait?.();
      reject(reason);
    }
  }
}
