import { CodeIndex } from './code-index.js';

/** Of all indexes together; the one that is asked for is kept even if it has more. */
const MAX_BYTES = 256 * 1024 * 1024;
/** An older index is read anew: it has passages that were deleted, and may lack a late one. */
const MAX_AGE_MS = 10 * 60_000;
/** How much of it a question reads, beside the index that answers until all is read. */
const READS_ANEW = 10;
/** At so many times the age all of it is read at once. */
const TOO_OLD = 3;

/** As many as are read at once; fewer are the last. */
export const CODE_ROWS = 1000;

/** Stored codes of a passage. */
export interface CodeRow {
  /** Higher than those of all rows that were committed before. */
  readonly serial: number;
  readonly number: number;
  readonly windows: number;
  readonly codes: Uint8Array;
}

/** @returns the next CODE_ROWS rows above a serial number */
type ReadCodes = (after: number) => readonly CodeRow[] | Promise<readonly CodeRow[]>;

interface Entry {
  readonly index: CodeIndex;
  readonly madeAt: number;
  serial: number;
  isComplete: boolean;
}

interface Indexes {
  readonly current: Entry;
  /** What takes its place. */
  readonly next: Entry | undefined;
}

/** Keeps the indexes of codes that were used last, and reads into them what was added since. */
export class CodeIndexCache {
  /** The least recently used first. */
  private readonly entries = new Map<string, Indexes>();

  constructor(private readonly now = () => performance.now()) {}

  async get(key: string, read: ReadCodes): Promise<CodeIndex> {
    const { current, next } = this.take(key);
    await readInto(current, read, Infinity);
    if (next) {
      const isTooOld = this.ageOf(current) >= TOO_OLD * MAX_AGE_MS;
      try {
        await readInto(next, read, isTooOld ? Infinity : READS_ANEW);
      } catch {
        // Of a question's time, too: the index that it has answers, and the next question goes on.
      }
      const isKnown = this.entries.get(key)?.next === next;
      if (next.isComplete && isKnown) this.entries.set(key, { current: next, next: undefined });
    }
    this.evict(key);
    return next?.isComplete ? next.index : current.index;
  }

  /** For an index of which most passages turned out to be gone. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  private ageOf({ madeAt }: Entry): number {
    return this.now() - madeAt;
  }

  private newEntry(): Entry {
    return { index: new CodeIndex(), madeAt: this.now(), serial: 0, isComplete: false };
  }

  private take(key: string): Indexes {
    const { current = this.newEntry(), next } = this.entries.get(key) ?? {};
    const isOld = this.ageOf(current) >= MAX_AGE_MS;
    const taken = {
      current,
      next: next ?? (isOld && current.isComplete ? this.newEntry() : undefined),
    };
    this.entries.delete(key);
    this.entries.set(key, taken);
    return taken;
  }

  private evict(kept: string): void {
    let bytes = 0;
    for (const one of this.entries.values()) bytes += bytesOf(one);
    for (const [key, one] of this.entries) {
      if (bytes <= MAX_BYTES) return;
      if (key === kept) continue;
      this.entries.delete(key);
      bytes -= bytesOf(one);
    }
  }
}

const bytesOf = ({ current, next }: Indexes): number =>
  current.index.bytes + (next?.index.bytes ?? 0);

async function readInto(entry: Entry, read: ReadCodes, maxReads: number): Promise<void> {
  for (let reads = 0; reads < maxReads; reads++) {
    const rows = await read(entry.serial);
    for (const { serial, number, windows, codes } of rows) {
      entry.index.add(number, codes, windows);
      entry.serial = Math.max(entry.serial, serial);
    }
    entry.isComplete = rows.length < CODE_ROWS;
    if (entry.isComplete) return;
  }
}
