/** What is measured of a process that reads documents. */
export interface Measurement {
  /** Changes with each document; 0 between two. */
  readonly document: number;
  /** Pages, sheets or parts that were read. */
  readonly progress: number;
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Without progress. On a busy machine a process gets less CPU time, so wall time says little. */
const MAX_CPU_WITHOUT_PROGRESS_MS = 10_000;
const MAX_WALL_WITHOUT_PROGRESS_MS = 30_000;
/** A process that got less in that time was held up by others. */
const MIN_CPU_OF_WALL_MS = 5000;
/** In all. */
const MAX_CPU_MS = 60_000;
const MAX_CPU_PER_PART_MS = 50;
const MAX_WALL_MS = 600_000;

const NOTHING: Measurement = { document: 0, progress: 0, cpuMs: 0, wallMs: 0 };

/** Tells whether a document is given up: for lack of progress, not for being long. */
export class ProgressLimit {
  private start: Measurement = NOTHING;
  private last: Measurement = NOTHING;

  isExceeded(now: Measurement): boolean {
    if (this.start.document !== now.document) this.start = this.last = now;
    if (this.last.progress !== now.progress) this.last = now;
    const { start, last } = this;
    if (now.document === 0) return false;
    const cpuSince = now.cpuMs - last.cpuMs;
    const parts = now.progress - start.progress;
    return (
      cpuSince > MAX_CPU_WITHOUT_PROGRESS_MS ||
      (now.wallMs - last.wallMs > MAX_WALL_WITHOUT_PROGRESS_MS && cpuSince > MIN_CPU_OF_WALL_MS) ||
      now.cpuMs - start.cpuMs > MAX_CPU_MS + MAX_CPU_PER_PART_MS * parts ||
      now.wallMs - start.wallMs > MAX_WALL_MS
    );
  }
}
