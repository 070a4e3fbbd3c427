import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { NO_FILE, ZIP } from '@latchkey/extraction/formats';
import type { Entry, ZipFile } from 'yauzl';
import { Problem } from '../../platform/problems/problem.js';
import { detectMediaType } from './media-type.js';
import { UploadedFile, writeUpload } from './uploaded-file.js';

const MAX_FILES = 500;
/** The total size of all files, as a multiple of the largest upload. */
const MAX_UPLOADS = 10;
/** The nesting depth of archives. */
const MAX_DEPTH = 3;

interface Archive {
  readonly path: string;
  /** The path prefix of its files, ending with `/`; empty for the uploaded archive. */
  readonly folder: string;
  readonly entries: readonly Entry[];
}

interface ArchivedFile {
  /** The path within the uploaded archive. */
  readonly path: string;
  /** @throws Problem, or EncryptedError */
  readonly unpack: () => Promise<UploadedFile>;
}

export class EncryptedError extends Error {}

/** The files of a ZIP archive and of nested archives. All are counted before any is returned. */
export class ArchivedFiles {
  private readonly archives: Archive[] = [];
  private unpacked = 0;
  private files = 0;
  private bytes = 0;

  private constructor(
    private readonly path: string,
    private readonly maxBytes: number,
  ) {}

  /** @throws Problem if the archive has too many files or unpacks to too much */
  static async open(path: string, maxBytes: number): Promise<ArchivedFiles> {
    const files = new ArchivedFiles(path, maxBytes);
    try {
      await files.listEntries(path, '');
      return files;
    } catch (error) {
      await files.remove();
      throw error;
    }
  }

  /** Yields one file at a time; a file is removed when the next one is requested. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ArchivedFile> {
    for (const { path, folder, entries } of this.archives) {
      const zip = await openZip(path);
      try {
        for (const entry of entries) {
          const unpacked = `${this.path}-file`;
          yield {
            path: folder + entry.fileName,
            unpack: () => this.unpack(zip, entry, unpacked),
          };
          await rm(unpacked, { force: true });
        }
      } finally {
        zip.close();
      }
    }
  }

  /** Removes what was unpacked. */
  async remove(): Promise<void> {
    await rm(`${this.path}-file`, { force: true });
    for (let n = 0; n < this.unpacked; n++) await rm(this.innerPath(n), { force: true });
  }

  private innerPath(number: number): string {
    return `${this.path}-archive-${number}`;
  }

  private async listEntries(path: string, folder: string, depth = 0): Promise<void> {
    const zip = await openZip(path);
    try {
      const entries: Entry[] = [];
      const inner: (readonly [path: string, folder: string])[] = [];
      for await (const entry of zip.eachEntry()) {
        if (NO_FILE.test(entry.fileName)) continue;
        this.count(entry);
        const archive = depth < MAX_DEPTH ? await this.unpackArchive(zip, entry) : undefined;
        if (archive === undefined) entries.push(entry);
        else inner.push([archive, `${folder}${entry.fileName}/`]);
      }
      this.archives.push({ path, folder, entries });
      for (const [innerPath, innerFolder] of inner) {
        await this.listEntries(innerPath, innerFolder, depth + 1);
      }
    } finally {
      zip.close();
    }
  }

  private count({ uncompressedSize }: Entry): void {
    this.files++;
    this.bytes += uncompressedSize;
    if (this.files > MAX_FILES || this.bytes > MAX_UPLOADS * this.maxBytes) {
      throw new Problem('payload_too_large', {
        detail: `The archive has more than ${MAX_FILES} files, or is too large when unpacked.`,
      });
    }
  }

  /** @returns undefined if the file is not an archive or cannot be unpacked */
  private async unpackArchive(zip: ZipFile, entry: Entry): Promise<string | undefined> {
    if (!/\.zip$/i.test(entry.fileName)) return undefined;
    const path = this.innerPath(this.unpacked++);
    try {
      const file = await this.unpack(zip, entry, path);
      return (await detectMediaType(file)) === ZIP ? path : undefined;
    } catch (error) {
      if (error instanceof Problem || error instanceof EncryptedError) return undefined;
      throw error;
    }
  }

  /** The file is never larger than its declared size, which `yauzl` compares with the real one. */
  private async unpack(zip: ZipFile, entry: Entry, path: string): Promise<UploadedFile> {
    if (entry.isEncrypted()) throw new EncryptedError();
    if (entry.uncompressedSize > this.maxBytes) throw new Problem('payload_too_large');
    try {
      const { hash, sizeBytes } = await writeUpload(await zip.openReadStreamPromise(entry), path);
      if (sizeBytes > 0)
        return new UploadedFile(path, basename(entry.fileName), '', hash, sizeBytes);
    } catch (error) {
      if (error instanceof Error && 'code' in error && String(error.code).startsWith('E'))
        throw error;
      // Damaged, or packed by another method than deflate.
      throw new Problem('unsupported_media_type', { detail: 'The file cannot be unpacked.' });
    }
    throw new Problem('unsupported_media_type', { detail: 'The file is empty.' });
  }
}

async function openZip(path: string): Promise<ZipFile> {
  const { openPromise } = await import('yauzl');
  return openPromise(path, { autoClose: false, lazyEntries: true });
}
