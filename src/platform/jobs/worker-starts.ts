import { Logger } from '@nestjs/common';
import { WorkerUnavailableError } from './worker-errors.js';

/** The pause after a failed start; each further pause is twice as long, up to the maximum. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
/** After this many failed starts in a row, which take a few seconds, the failure counts as lasting. */
const FAILING_AFTER = 3;

interface WorkerKind {
  /** Starts a worker and reports to `succeeded` or `failed`. */
  readonly start: () => void;
  /** Whether a worker started earlier still works. */
  readonly isServing?: () => boolean;
  /** The part of the service it belongs to, as users call it. */
  readonly part?: string | undefined;
}

/**
 * Tracks the starts of one kind of worker thread or child process. After a failed start, such as when
 * its file is missing, requests that need it are refused at once until a later attempt succeeds.
 * Attempts are repeated automatically, since a process that is not ready gets no requests.
 */
export class WorkerStarts {
  private static readonly kinds = new Set<WorkerStarts>();
  /** The number of failed starts in this process, by the name of the worker. */
  static readonly failures = new Map<string, number>();

  /** The names of the workers that persistently fail to start. */
  static get failing(): string[] {
    return [...WorkerStarts.kinds].filter((kind) => kind.isFailing).map(({ worker }) => worker);
  }

  /** The names of the workers that are still starting although a request has given up waiting. */
  static get late(): string[] {
    return [...WorkerStarts.kinds].filter((kind) => kind.isLate).map(({ worker }) => worker);
  }

  /** Whether some worker is unavailable because it is being restarted. */
  static get areStarting(): boolean {
    return [...WorkerStarts.kinds].some((one) => !one.isAvailable && !one.isServing);
  }

  private isLate = false;
  private readonly logger = new Logger(WorkerStarts.name);
  private failedInARow = 0;
  private retryAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly worker: string,
    private readonly kind: WorkerKind,
  ) {
    WorkerStarts.kinds.add(this);
  }

  /** False after a failed start, until one succeeds. */
  get isAvailable(): boolean {
    return this.failedInARow === 0;
  }

  /** Creates the error for requests that need a worker while none can be started. */
  unavailable(): WorkerUnavailableError {
    const retryAfterMs = Math.max(0, this.retryAt - performance.now());
    return new WorkerUnavailableError(this.worker, retryAfterMs, this.kind.part);
  }

  /** Notes that a request was refused because the worker took too long to start. */
  late(): void {
    this.isLate = true;
  }

  succeeded(): void {
    this.isLate = false;
    if (this.failedInARow > 0) this.logger.warn(`${this.worker} started again`);
    this.failedInARow = 0;
    this.stopTimer();
  }

  failed(reason: unknown): void {
    WorkerStarts.failures.set(this.worker, (WorkerStarts.failures.get(this.worker) ?? 0) + 1);
    // If several starts fail at once, the first failure schedules the retry.
    if (this.timer || !WorkerStarts.kinds.has(this)) return;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.failedInARow, MAX_PAUSE_MS);
    this.failedInARow++;
    const cause = reason instanceof Error ? reason.message : String(reason);
    this.logger.error(`${this.worker} could not be started, next try in ${pauseMs} ms: ${cause}`);
    this.retryAt = performance.now() + pauseMs;
    this.timer = setTimeout(() => {
      this.stopTimer();
      this.retry();
    }, pauseMs);
  }

  /** Stops all further starts of this kind. */
  close(): void {
    WorkerStarts.kinds.delete(this);
    this.stopTimer();
  }

  private retry(): void {
    try {
      this.kind.start();
    } catch (error) {
      // An error thrown in a timer would end the process.
      this.failed(error);
    }
  }

  private get isFailing(): boolean {
    return this.failedInARow >= FAILING_AFTER && !this.isServing;
  }

  private get isServing(): boolean {
    return this.kind.isServing?.() === true;
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
