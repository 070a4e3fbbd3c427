/** Of the readers who asked last, for whom a thread keeps them. */
const MAX_READERS = 100;

interface SetRow {
  readonly id: string;
}

interface Known {
  readonly version: number;
  readonly rows: readonly SetRow[];
}

/** Which sets of rules let somebody read; asked again once any rule of the knowledge base has changed. */
export class ReadableSets {
  /** The least recently used first. */
  private readonly known = new Map<string, Known>();

  /**
   * @param reader the knowledge base, and in whose name it is read
   * @param version of its rules, read before
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
