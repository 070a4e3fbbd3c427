import { CodeIndex } from './code-index.js';

/** The limit of all indexes together; the index in use is kept even if it is larger. */
const MAX_BYTES = 256 * 1024 * 1024;
/** An older index is rebuilt: it has deleted passages, and may lack some that were committed late. */
const MAX_AGE_MS = 10 * 60_000;
/** The reads that one question adds to a new index; the old one answers until the new one is complete. */
const READS_ANEW = 10;
/** At this multiple of the age, the new index is read at once. */
const TOO_OLD = 3;

/** The number of rows per read; a read with fewer rows was the last. */
export const CODE_ROWS = 1000;

/** Stored codes of a passage. */
export interface CodeRow {
  /** A number higher than those of all rows that were committed before. */
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
  /** The index that will replace it. */
  readonly next: Entry | undefined;
}

/** Keeps the most recently used indexes of codes, and adds new rows to them. */
export class CodeIndexCache {
  /** The least recently used first. */
  private readonly entries = new Map<string, Indexes>();

  constructor(private readonly now = () => performance.now()) {}

  async get(key: string, read: ReadCodes): Promise<CodeIndex> {
    const { current, next } = this.touch(key);
    await readInto(current, read, Infinity);
    if (next) {
      const isTooOld = this.getAge(current) >= TOO_OLD * MAX_AGE_MS;
      try {
        await readInto(next, read, isTooOld ? Infinity : READS_ANEW);
      } catch {
        // The read may also exceed the question's time. The current index answers; the next question goes on.
      }
      const isKnown = this.entries.get(key)?.next === next;
      if (next.isComplete && isKnown) this.entries.set(key, { current: next, next: undefined });
    }
    this.evict(key);
    return next?.isComplete ? next.index : current.index;
  }

  /** Drops an index when most of its passages no longer exist. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  private getAge({ madeAt }: Entry): number {
    return this.now() - madeAt;
  }

  private createEntry(): Entry {
    return { index: new CodeIndex(), madeAt: this.now(), serial: 0, isComplete: false };
  }

  private touch(key: string): Indexes {
    const { current = this.createEntry(), next } = this.entries.get(key) ?? {};
    const isOld = this.getAge(current) >= MAX_AGE_MS;
    const taken = {
      current,
      next: next ?? (isOld && current.isComplete ? this.createEntry() : undefined),
    };
    this.entries.delete(key);
    this.entries.set(key, taken);
    return taken;
  }

  private evict(kept: string): void {
    let bytes = 0;
    for (const one of this.entries.values()) bytes += sumBytes(one);
    for (const [key, one] of this.entries) {
      if (bytes <= MAX_BYTES) return;
      if (key === kept) continue;
      this.entries.delete(key);
      bytes -= sumBytes(one);
    }
  }
}

const sumBytes = ({ current, next }: Indexes): number =>
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
