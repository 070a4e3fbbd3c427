/** The state of a process that reads documents. */
interface Measurement {
  /** Changes with each document; 0 between documents. */
  readonly document: number;
  /** The number of pages, sheets or parts read so far. */
  readonly progress: number;
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** In milliseconds. On a busy machine a process gets less CPU time, so wall time says little. */
export interface ProgressLimits {
  readonly cpuWithoutProgress: number;
  readonly wallWithoutProgress: number;
  /** A process with less CPU time in that wall time was slowed down by others. */
  readonly minCpuOfWall: number;
  /** The CPU time for the whole document, and for each part. */
  readonly cpu: number;
  readonly cpuPerPart: number;
  readonly wall: number;
}

export const READING_LIMITS: ProgressLimits = {
  cpuWithoutProgress: 10_000,
  wallWithoutProgress: 30_000,
  minCpuOfWall: 5000,
  cpu: 60_000,
  cpuPerPart: 50,
  wall: 600_000,
};

const NOTHING: Measurement = { document: 0, progress: 0, cpuMs: 0, wallMs: 0 };

/** Decides whether to give up a document, for lack of progress rather than for its length. */
export class ProgressLimit {
  private start: Measurement = NOTHING;
  private last: Measurement = NOTHING;

  constructor(private readonly limits: ProgressLimits) {}

  isExceeded(now: Measurement): boolean {
    if (this.start.document !== now.document) this.start = this.last = now;
    if (this.last.progress !== now.progress) this.last = now;
    const { start, last, limits } = this;
    if (now.document === 0) return false;
    const cpuSince = now.cpuMs - last.cpuMs;
    const parts = now.progress - start.progress;
    return (
      cpuSince > limits.cpuWithoutProgress ||
      (now.wallMs - last.wallMs > limits.wallWithoutProgress && cpuSince > limits.minCpuOfWall) ||
      now.cpuMs - start.cpuMs > limits.cpu + limits.cpuPerPart * parts ||
      now.wallMs - start.wallMs > limits.wall
    );
  }
}
