import { Logger } from '@nestjs/common';
import { WorkerUnavailableError } from './worker-errors.js';

/** The pause after a failed start; each further pause is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
/** After so many failed starts in a row, a few seconds, the failure is not a passing one. */
const FAILING_AFTER = 3;

interface WorkerKind {
  /** Starts one, and reports to `succeeded` or `failed`. */
  readonly start: () => void;
  /** Whether one that was started before still works. */
  readonly isServing?: () => boolean;
  /** What it is part of, as users call it. */
  readonly part?: string | undefined;
}

/**
 * The starts of one kind of worker thread or child process. After a failed one, such as when its file
 * is missing, what needs one is refused at once, and only the next attempt decides whether it works
 * again. It comes by itself, since a process that is not ready gets no requests.
 */
export class WorkerStarts {
  private static readonly kinds = new Set<WorkerStarts>();
  /** How many starts have failed in this process, by the name of the worker. */
  static readonly failures = new Map<string, number>();

  /** The names of the workers that stay unable to start. */
  static get failing(): string[] {
    return [...WorkerStarts.kinds].filter((kind) => kind.isFailing).map(({ worker }) => worker);
  }

  /** The names of the workers that something has waited for in vain, and that are still starting. */
  static get late(): string[] {
    return [...WorkerStarts.kinds].filter((kind) => kind.isLate).map(({ worker }) => worker);
  }

  /** Whether what needs some worker is refused, or waits for one that is started again. */
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

  /** False from a failed start until one has succeeded. */
  get isAvailable(): boolean {
    return this.failedInARow === 0;
  }

  /** The error for what needs one while none can be started. */
  unavailable(): WorkerUnavailableError {
    const retryAfterMs = Math.max(0, this.retryAt - performance.now());
    return new WorkerUnavailableError(this.worker, retryAfterMs, this.kind.part);
  }

  /** What waited for one has been refused, since it takes too long to start. */
  late(): void {
    this.isLate = true;
  }

  succeeded(): void {
    this.isLate = false;
    if (this.failedInARow > 0) this.logger.warn(`${this.worker} starts again`);
    this.failedInARow = 0;
    this.stopTimer();
  }

  failed(reason: unknown): void {
    WorkerStarts.failures.set(this.worker, (WorkerStarts.failures.get(this.worker) ?? 0) + 1);
    // Of several that start at once, the first failure decides when it is tried again.
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

  /** Nothing of this kind is started any more. */
  close(): void {
    WorkerStarts.kinds.delete(this);
    this.stopTimer();
  }

  private retry(): void {
    try {
      this.kind.start();
    } catch (error) {
      // Thrown by a timer, it would end the process.
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
