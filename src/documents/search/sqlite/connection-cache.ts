import type Database from 'better-sqlite3';
import { IndexCorruptError } from './index-corrupt-error.js';
import { hasErrorCode } from './sqlite-error.js';

const MAX_OPEN = 64;

interface Files {
  /** Changes when the file of a knowledge base is replaced; undefined if there is none. */
  readIdentity(kbId: string): string | undefined;
  remove(kbId: string): void;
}

/** Keeps the most recently used connections to index files open. */
export class ConnectionCache {
  private readonly open = new Map<
    string,
    { readonly connection: Database.Database; readonly identity: string | undefined }
  >();

  constructor(
    private readonly files: Files,
    private readonly connect: (kbId: string) => Database.Database,
  ) {}

  /**
   * Runs `work` on an index. A damaged file is removed.
   *
   * @throws IndexCorruptError if the file is damaged, or was removed in the meantime
   */
  async use<T>(kbId: string, work: (connection: Database.Database) => T | Promise<T>): Promise<T> {
    const identity = this.files.readIdentity(kbId);
    try {
      return await work(this.get(kbId));
    } catch (error) {
      const isDamaged = hasErrorCode(error, /^SQLITE_(CORRUPT|NOTADB)/);
      // Another thread may have found the file damaged and removed it, which can cause any error.
      const isReplaced =
        hasErrorCode(error, /^SQLITE_/) && identity !== this.files.readIdentity(kbId);
      if (!isDamaged && !isReplaced) throw error;
      this.close(kbId);
      if (!isReplaced) this.files.remove(kbId);
      throw new IndexCorruptError();
    }
  }

  close(kbId: string): void {
    this.open.get(kbId)?.connection.close();
    this.open.delete(kbId);
  }

  private get(kbId: string): Database.Database {
    const known = this.open.get(kbId);
    // Another thread or process may have replaced the file.
    if (known && known.identity !== this.files.readIdentity(kbId)) this.close(kbId);
    const opened = this.open.get(kbId) ?? this.connectTo(kbId);
    // Inserted again, so that the map is ordered by last use.
    this.open.delete(kbId);
    this.open.set(kbId, opened);
    for (const oldest of this.open.keys()) {
      if (this.open.size <= MAX_OPEN) break;
      this.close(oldest);
    }
    return opened.connection;
  }

  private connectTo(kbId: string) {
    const connection = this.connect(kbId);
    return { connection, identity: this.files.readIdentity(kbId) };
  }
}
