import { declaredClasses } from '../discovery/declared-providers.js';
import type { MayContinue } from './job-lock.js';

export interface JobOptions {
  /** The interval between rounds, in milliseconds. The first round is at the start of the service. */
  readonly every: number;
  /**
   * The name of a lease, if only one of the processes that share the database may run the job at a time.
   * A round takes the lease when it first calls `mayContinue`. Until then it may only look for work.
   */
  readonly singleton?: string;
  /** Whether it runs until all requests are answered, and not only until the shutdown begins. */
  readonly untilAnswered?: boolean;
}

/** The context of one call of a job. */
export interface JobRound {
  /** Aborted at shutdown, which waits for the round to end early. The next start resumes. */
  readonly signal: AbortSignal;
  /** Called before each step. False at shutdown, or while another process has the lease. */
  readonly mayContinue: MayContinue;
  /** Returns the current time by the database's clock. */
  readonly now: () => Promise<Date>;
  /**
   * Begins a task that the round does not wait for. When it has ended, another round starts. A shutdown
   * waits for the tasks, and runs a last round afterwards.
   */
  readonly begin: (task: () => Promise<void>) => void;
}

type JobMethod = (round: JobRound) => Promise<void>;

export interface DeclaredJob extends JobOptions {
  readonly run: (provider: object, round: JobRound) => Promise<void>;
}

/** The jobs of each class. */
export const declaredJobs = new Map<object, DeclaredJob[]>();

/** Declares that Jobs runs a method of a provider in the background. */
export const Job =
  (options: JobOptions) =>
  <Name extends string>(prototype: Record<Name, JobMethod>, name: Name): void => {
    const run = (provider: object, round: JobRound) => (provider as typeof prototype)[name](round);
    const others = declaredJobs.get(prototype.constructor) ?? [];
    declaredJobs.set(prototype.constructor, [...others, { ...options, run }]);
    declaredClasses.add(prototype.constructor);
  };
