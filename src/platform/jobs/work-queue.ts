import type { JobRound } from './job.js';

/**
 * A queue of tasks that the processes sharing the database take from. Exactly one method handles its
 * tasks, which is declared with `@Job({ queue })`. JobQueue extends it: it knows users and knowledge bases,
 * which this room does not.
 */
export abstract class WorkQueue<Task> {
  private running = 0;

  /**
   * Takes tasks that this process may work on.
   *
   * @param room how many more tasks the process may begin; 0 at shutdown
   * @returns an empty array if there are none
   */
  abstract lease(room: number): Promise<readonly Task[]>;

  /** Runs `work`, during which no other process takes the task. */
  abstract keep(task: Task, work: () => Promise<void>): Promise<void>;

  /** Begins tasks until as many run as may run at a time, or none is waiting. */
  async begin(
    { signal, begin }: JobRound,
    concurrency: number,
    work: (task: Task) => Promise<void>,
  ): Promise<void> {
    for (;;) {
      const tasks = await this.lease(signal.aborted ? 0 : concurrency - this.running);
      if (tasks.length === 0) return;
      for (const task of tasks) {
        this.running++;
        begin(() => this.keep(task, () => work(task)).finally(() => this.running--));
      }
    }
  }
}
