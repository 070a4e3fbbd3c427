import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type ByteRange,
  ContentMissingError,
  type ContentSource,
  type ContentStore,
  ContentStoreError,
} from './content-store.js';

export const FILES = 'files';

/**
 * Smaller contents are cheaper to keep in the database: a file takes two fsyncs and at least one disk
 * block.
 */
const INLINE_BYTES = 64 * 1024;

/**
 * The path of a content's file. The first two letters of its key name a directory, so that no directory
 * has too many files.
 */
export const contentFile = (dataDir: string, key: string) =>
  join(dataDir, 'contents', key.slice(0, 2), key);

/** Stores contents as files in DATA_DIR. */
export class FileContentStore implements ContentStore {
  readonly location = FILES;
  readonly inlineBytes = INLINE_BYTES;

  constructor(private readonly dataDir: string) {}

  async write(key: string, { path, read }: ContentSource): Promise<void> {
    const file = contentFile(this.dataDir, key);
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await pipeline(
        path === undefined ? Readable.from([await read()]) : createReadStream(path),
        createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
      );
      await flushDirectory(dirname(file));
    } catch (error) {
      throw new ContentStoreError('The content could not be written', { cause: error });
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    try {
      const file = await open(contentFile(this.dataDir, key));
      return file.createReadStream(range && { start: range.first, end: range.last });
    } catch (error) {
      throw error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? new ContentMissingError(`There is no content ${key}`, { cause: error })
        : new ContentStoreError('The content could not be read', { cause: error });
    }
  }

  async remove(key: string): Promise<void> {
    await rm(contentFile(this.dataDir, key), { force: true });
  }
}

/** Without this, a new file may be missing from its directory after a power failure. */
async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
