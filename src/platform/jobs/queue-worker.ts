import { BackgroundJob } from './background-job.js';

/** Processes items of a queue, several at a time. */
export abstract class QueueWorker<Work> extends BackgroundJob {
  /** The items being processed. */
  protected readonly running = new Map<Work, Promise<void>>();

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await Promise.all(this.running.values());
  }

  /** Starts `task` without waiting for its end; afterwards another round starts. */
  protected begin(work: Work, task: () => Promise<void>): void {
    const ended = task()
      .catch((error: unknown) => {
        this.logger.error(error);
      })
      .finally(() => {
        this.running.delete(work);
        this.start();
      });
    this.running.set(work, ended);
  }
}
