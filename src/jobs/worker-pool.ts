import { Logger } from '@nestjs/common';
import { Piscina } from 'piscina';

interface WorkerPoolOptions {
  readonly maxThreads: number;
  /** How long a thread without a task is kept. */
  readonly idleTimeout: number;
  readonly workerData?: object;
  /** Whether a thread must hear of its network connections while it has no task. */
  readonly holdsConnection?: boolean;
}

/** Worker threads, which start with the first task. */
export class WorkerPool<Task = unknown, Result = unknown> extends Piscina<Task, Result> {
  private readonly logger = new Logger(WorkerPool.name);

  /** @param worker the module that the threads run */
  constructor(worker: URL, { holdsConnection = false, ...options }: WorkerPoolOptions) {
    super({
      ...options,
      filename: worker.href,
      minThreads: 0,
      // By default Piscina stops the event loop of an idle thread.
      ...(holdsConnection && { atomics: 'disabled' as const }),
    });
    // An `error` event without a listener is thrown and ends the process. A thread that fails to
    // start is started again with the next task.
    this.on('error', (error) => {
      this.logger.error(error);
    });
  }
}
