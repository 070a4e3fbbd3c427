import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import type { ReadingContext } from '../block.js';
import { isCompoundFile } from '../ole/compound-file.js';
import { Unreadable } from '../unreadable.js';

const MAX_PARTS = 20_000;
/** Limits the parts that are read, counted while they are inflated: declared sizes are not trusted. */
const MAX_INFLATED_BYTES = 128 * 1024 * 1024;
/** Limit one picture or other embedded file, and all of them; sizes are checked while they are inflated. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
const MAX_FILES_BYTES = 256 * 1024 * 1024;

/** A document that is a ZIP archive of parts. */
export class Archive {
  private inflated = 0;
  private fileBytes = 0;

  private constructor(
    private readonly file: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly context: ReadingContext,
  ) {}

  /** @throws Unreadable if it is damaged, cut off or encrypted, or has too many parts */
  static async open(content: Uint8Array, context: ReadingContext): Promise<Archive> {
    // Office encrypts a document into a file of the older container.
    if (isCompoundFile(content)) throw encrypted();
    const entries = new Map<string, Entry>();
    try {
      const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      const file = await fromBufferPromise(bytes, { lazyEntries: true });
      for await (const entry of file.eachEntry()) {
        if (entries.size >= MAX_PARTS) throw tooLarge();
        entries.set(entry.fileName, entry);
      }
      return new Archive(file, entries, context);
    } catch (error) {
      if (error instanceof Unreadable) throw error;
      throw damaged();
    }
  }

  get names(): readonly string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /**
   * Inflates a part piece by piece.
   *
   * @throws Unreadable if it is missing or encrypted, or when too much has been inflated
   */
  async *read(name: string): AsyncGenerator<Uint8Array> {
    const entry = this.entries.get(name);
    if (!entry) throw new Unreadable('parse_failed', 'The file lacks a part that it needs.');
    if (entry.isEncrypted()) throw encrypted();
    if (this.inflated + entry.uncompressedSize > MAX_INFLATED_BYTES) throw tooLarge();
    for await (const bytes of this.inflate(entry)) {
      this.inflated += bytes.length;
      if (this.inflated > MAX_INFLATED_BYTES) throw tooLarge();
      this.context.progress();
      yield bytes;
    }
  }

  /** @throws Unreadable where its bytes or its size are wrong */
  private async *inflate(entry: Entry): AsyncGenerator<Uint8Array> {
    const stream = await this.file.openReadStreamPromise(entry).catch(() => {
      throw damaged();
    });
    const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
    try {
      for (;;) {
        const { done, value } = await pieces.next().catch(() => {
          throw damaged();
        });
        if (done) return;
        yield value;
      }
    } finally {
      stream.destroy();
    }
  }

  /**
   * Reads a picture or another embedded file.
   *
   * @returns undefined for one that is missing, damaged or too large: the text can be read without it
   */
  async readFile(name: string): Promise<Uint8Array | undefined> {
    const entry = this.entries.get(name);
    if (!entry || entry.isEncrypted() || entry.uncompressedSize > MAX_FILE_BYTES) return undefined;
    this.fileBytes += entry.uncompressedSize;
    if (this.fileBytes > MAX_FILES_BYTES) return undefined;
    try {
      const pieces: Uint8Array[] = [];
      for await (const bytes of this.inflate(entry)) pieces.push(bytes);
      this.context.progress();
      return Buffer.concat(pieces);
    } catch {
      return undefined;
    }
  }

  async readWhole(name: string): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.read(name)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}

const encrypted = () => new Unreadable('encrypted', 'The document is encrypted.');
const damaged = () => new Unreadable('parse_failed', 'The file is damaged or cut off.');
const tooLarge = () => new Unreadable('too_large', 'The document unpacks to too much.');
