import { CodeIndex } from './code-index.js';

/** Of all indexes together; the one that is asked for is kept even if it has more. */
const MAX_BYTES = 256 * 1024 * 1024;
/** An older index is read anew: it has passages that were deleted, and may lack a late one. */
const MAX_AGE_MS = 10 * 60_000;

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
}

/** Keeps the indexes of codes that were used last, and reads into them what was added since. */
export class CodeIndexCache {
  private readonly entries = new Map<string, Entry>();

  async get(key: string, read: ReadCodes): Promise<CodeIndex> {
    const entry = this.take(key);
    for (let isComplete = false; !isComplete;) {
      const rows = await read(entry.serial);
      isComplete = rows.length < CODE_ROWS;
      for (const { serial, number, windows, codes } of rows) {
        entry.index.add(number, codes, windows);
        entry.serial = Math.max(entry.serial, serial);
      }
    }
    this.evict(key);
    return entry.index;
  }

  /** For an index of which most passages turned out to be gone. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  private take(key: string): Entry {
    const known = this.entries.get(key);
    this.entries.delete(key);
    const isUsable = known && performance.now() - known.madeAt < MAX_AGE_MS;
    const entry = isUsable
      ? known
      : { index: new CodeIndex(), madeAt: performance.now(), serial: 0 };
    this.entries.set(key, entry);
    return entry;
  }

  private evict(kept: string): void {
    let bytes = 0;
    for (const { index } of this.entries.values()) bytes += index.bytes;
    for (const [key, { index }] of this.entries) {
      if (bytes <= MAX_BYTES) return;
      if (key === kept) continue;
      this.entries.delete(key);
      bytes -= index.bytes;
    }
  }
}
