import { Logger } from '@nestjs/common';
import { outsideTraces } from '../telemetry/tracing.js';
import type { DeclaredJob, JobRound } from './job.js';
import type { JobLock, MayContinue } from './job-lock.js';

/** The longest time after which a round that failed, or was not allowed to continue, is repeated. */
const MAX_RETRY_MS = 60_000;

/** A job in this process. Its rounds never overlap. Errors are logged. */
export class RunningJob {
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private readonly signal = this.stopping.signal;
  /** What rounds have begun; undefined if they begin no tasks. */
  private tasks?: Set<Promise<void>>;
  private timer?: NodeJS.Timeout;
  private retry?: NodeJS.Timeout;
  private rounds?: Promise<void>;
  private startAgain = false;
  private stopped?: Promise<void>;

  constructor(
    readonly provider: object,
    readonly declared: DeclaredJob,
    private readonly lock: JobLock,
    private readonly now: JobRound['now'],
  ) {
    this.logger = new Logger(provider.constructor.name);
  }

  startAtIntervals(): void {
    this.timer = setInterval(() => {
      this.start();
    }, this.declared.every);
    this.start();
  }

  /** Runs a round now, or another one after the running round. */
  start(): void {
    this.startAgain = true;
    // The job's spans must not belong to the trace of the request that calls this.
    this.rounds ??= outsideTraces(() => this.runRounds()).finally(() => {
      this.rounds = undefined;
      // `start` was called between the end of the last round and now.
      if (this.startAgain && !this.signal.aborted) this.start();
    });
  }

  /** Aborts the signal, and waits until everything has ended. */
  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  private async end(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.timer);
    await this.rounds;
    clearTimeout(this.retry);
    if (!this.tasks) return;
    await Promise.all(this.tasks);
    await this.runRound();
  }

  private async runRounds(): Promise<void> {
    while (this.startAgain && !this.signal.aborted) {
      this.startAgain = false;
      clearTimeout(this.retry);
      if ((await this.runRound()) || this.declared.every <= MAX_RETRY_MS) continue;
      this.retry = setTimeout(() => {
        this.start();
      }, MAX_RETRY_MS);
    }
  }

  /** @returns whether it did all its work */
  private async runRound(): Promise<boolean> {
    const { signal, now, begin, lock } = this;
    const { run, singleton } = this.declared;
    let mayGoOn = true;
    const work = (mayContinue: MayContinue) =>
      run(this.provider, {
        ...{ signal, now, begin },
        mayContinue: async () => (mayGoOn = await mayContinue()),
      });
    const hasEnded = await this.logFailure(() =>
      singleton === undefined
        ? work(() => Promise.resolve(!signal.aborted))
        : lock.run(singleton, signal, work),
    );
    return hasEnded && mayGoOn;
  }

  private readonly begin = (task: () => Promise<void>): void => {
    const tasks = (this.tasks ??= new Set());
    const ended = this.logFailure(task).then(() => {
      tasks.delete(ended);
      this.start();
    });
    tasks.add(ended);
  };

  /** @returns whether the work was successful */
  private async logFailure(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.logger.error(error);
      return false;
    }
  }
}
