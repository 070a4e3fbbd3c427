import { BackgroundJob } from './background-job.js';

/** Works on what a queue gives, several at a time. */
export abstract class QueueWorker<Work> extends BackgroundJob {
  /** What is being worked on. */
  protected readonly running = new Map<Work, Promise<void>>();

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await Promise.all(this.running.values());
  }

  /** Begins `task`, without waiting for its end; the next round follows it. */
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
