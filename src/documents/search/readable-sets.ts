/** The number of recent readers whose sets a thread keeps. */
const MAX_READERS = 100;

interface SetRow {
  readonly id: string;
}

interface Known {
  readonly version: number;
  readonly rows: readonly SetRow[];
}

/**
 * Caches the access sets that a reader may read; they are read again when any rule of the knowledge
 * base changes.
 */
export class ReadableSets {
  /** Least recently used first. */
  private readonly known = new Map<string, Known>();

  /**
   * @param reader the knowledge base and the principals of the reader
   * @param version the version of its rules, read before
   */
  async get(
    reader: string,
    version: number,
    read: () => readonly SetRow[] | Promise<readonly SetRow[]>,
  ): Promise<readonly SetRow[]> {
    const known = this.known.get(reader);
    const current = known?.version === version ? known : { version, rows: await read() };
    this.known.delete(reader);
    this.known.set(reader, current);
    const [oldest] = this.known.keys();
    if (oldest !== undefined && this.known.size > MAX_READERS) this.known.delete(oldest);
    return current.rows;
  }
}
