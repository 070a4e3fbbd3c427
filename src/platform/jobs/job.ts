import { declaredClasses } from '../discovery/declared-providers.js';
import type { MayContinue } from './job-lock.js';
import type { WorkQueue } from './work-queue.js';

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

/** A job that works on the tasks of a queue, each of which it is called with. */
export interface QueueJobOptions<Task> {
  /** How often a process looks for tasks, such as those of a process that died. */
  readonly every: number;
  readonly queue: QueueClass<Task>;
  /** The number of tasks that one process works on at a time. */
  readonly concurrency: number;
}

type QueueClass<Task> = abstract new (...parameters: never[]) => WorkQueue<Task>;
type JobMethod = (round: JobRound) => Promise<void>;
type TaskMethod<Task> = (task: Task, signal: AbortSignal) => Promise<void>;
type Declaration<Method> = <Name extends string>(
  prototype: Record<Name, Method>,
  name: Name,
) => void;

export interface DeclaredJob extends JobOptions {
  readonly queue?: QueueClass<unknown>;
  readonly run: (provider: object, round: JobRound, queue?: WorkQueue<unknown>) => Promise<void>;
}

/** The jobs of each class. */
export const declaredJobs = new Map<object, DeclaredJob[]>();

/** Declares that Jobs runs a method of a provider in the background. */
export function Job(options: JobOptions): Declaration<JobMethod>;
export function Job<Task>(options: QueueJobOptions<Task>): Declaration<TaskMethod<Task>>;
export function Job(
  options: JobOptions | QueueJobOptions<unknown>,
): Declaration<JobMethod & TaskMethod<unknown>> {
  return (prototype, name) => {
    const run: DeclaredJob['run'] = async (provider, round, queue) => {
      const job = provider as typeof prototype;
      if (!('queue' in options)) await job[name](round);
      else await queue?.begin(round, options.concurrency, (task) => job[name](task, round.signal));
    };
    const others = declaredJobs.get(prototype.constructor) ?? [];
    declaredJobs.set(prototype.constructor, [...others, { ...options, run }]);
    declaredClasses.add(prototype.constructor);
    if ('queue' in options) declaredClasses.add(options.queue);
  };
}
