import { readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ZIP } from '@latchkey/extraction/formats';
import type { Entry, ZipFile } from 'yauzl';
import { Config } from '../platform/config/config.js';
import type { IdempotentRequest } from '../platform/idempotency/idempotency.js';
import { Problem } from '../platform/problems/problem.js';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { ArchiveDto, SkippedFileDto } from './archive.dto.js';
import type { DocumentDto } from './document.dto.js';
import { type DocumentUpload, DocumentUploadService } from './document-upload.service.js';
import { titleFrom } from './upload/document-body.js';
import { mediaTypeOf } from './upload/media-type.js';
import { UploadedFile, writeUpload } from './upload/uploaded-file.js';

const MAX_FILES = 500;
/** Of all files together, in uploads of the greatest size. */
const MAX_UPLOADS = 10;
const MAX_EXTERNAL_ID = 255;
/** What programs put beside people's files. */
const NO_FILE = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)|\/$/;
/** With these, the others can still be added. */
const SKIPPED = new Set<string>([
  'duplicate_document',
  'unsupported_media_type',
  'payload_too_large',
  'quota_reached',
]);

/** Adds each file of a ZIP archive as a document of its own. */
@Injectable()
export class ArchiveUploadService {
  private readonly maxBytes: number;

  constructor(
    config: Config,
    private readonly uploads: DocumentUploadService,
  ) {
    this.maxBytes = config.MAX_UPLOAD_BYTES;
  }

  /** @throws Problem where the archive has too much in it, or nothing that can be read */
  async create(
    user: DashboardUser,
    kbId: string,
    archive: DocumentUpload & { readonly path: string },
    request?: IdempotentRequest,
  ): Promise<ArchiveDto> {
    const { openPromise } = await import('yauzl');
    const zip = await openPromise(archive.path, { autoClose: false, lazyEntries: true });
    try {
      const entries = await this.entriesOf(zip);
      const documents: DocumentDto[] = [];
      const skipped: SkippedFileDto[] = [];
      let refusal: Problem | undefined;
      for (const entry of entries) {
        const path = entry.fileName;
        const own = request && { ...request, operation: `${request.operation} ${path}` };
        try {
          const upload = (file: UploadedFile) => uploadOf(archive, path, file);
          documents.push(await this.add(user, kbId, { zip, entry, archive, upload }, own));
        } catch (error) {
          if (error instanceof EncryptedError) skipped.push({ path, code: 'encrypted' });
          else if (error instanceof Problem && SKIPPED.has(error.code)) {
            refusal = error;
            skipped.push({ path, code: error.code });
          } else throw error;
        }
      }
      if (skipped.length === 0 && documents.length === 0) throw nothingReadable();
      if (refusal && documents.length === 0) throw refusal;
      return { documents, skipped };
    } finally {
      zip.close();
    }
  }

  private async entriesOf(zip: ZipFile): Promise<Entry[]> {
    const entries: Entry[] = [];
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      if (NO_FILE.test(entry.fileName)) continue;
      entries.push(entry);
      bytes += entry.uncompressedSize;
      if (entries.length > MAX_FILES || bytes > MAX_UPLOADS * this.maxBytes) {
        throw new Problem('payload_too_large', {
          detail: `The archive has more than ${MAX_FILES} files, or unpacks to too much.`,
        });
      }
    }
    return entries;
  }

  private async add(
    user: DashboardUser,
    kbId: string,
    { zip, entry, archive, upload }: ArchivedFile,
    request: IdempotentRequest | undefined,
  ): Promise<DocumentDto> {
    if (entry.isEncrypted()) throw new EncryptedError();
    if (entry.uncompressedSize > this.maxBytes) throw new Problem('payload_too_large');
    const path = `${archive.path}-file`;
    try {
      const file = await unpack(zip, entry, path);
      return (await this.uploads.create(user, kbId, await upload(file), request)).document;
    } finally {
      await rm(path, { force: true });
    }
  }
}

interface ArchivedFile {
  readonly zip: ZipFile;
  readonly entry: Entry;
  readonly archive: { readonly path: string };
  readonly upload: (file: UploadedFile) => Promise<DocumentUpload>;
}

const nothingReadable = () =>
  new Problem('unsupported_media_type', { detail: 'The archive has no file that can be read.' });

class EncryptedError extends Error {}

/** The file is never larger than its declared size, which `yauzl` compares with the real one. */
async function unpack(zip: ZipFile, entry: Entry, path: string): Promise<UploadedFile> {
  try {
    const { hash, sizeBytes } = await writeUpload(await zip.openReadStreamPromise(entry), path);
    if (sizeBytes > 0) return new UploadedFile(path, basename(entry.fileName), '', hash, sizeBytes);
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('E'))
      throw error;
    // Damaged, or packed by another method than deflate.
    throw new Problem('unsupported_media_type', { detail: 'The file cannot be unpacked.' });
  }
  throw new Problem('unsupported_media_type', { detail: 'The file is empty.' });
}

async function uploadOf(
  archive: DocumentUpload,
  path: string,
  file: UploadedFile,
): Promise<DocumentUpload> {
  const mimeType = await mediaTypeOf(file);
  const prefix = archive.external_id ? `${archive.external_id}/` : '';
  const externalId = `${prefix}${path}`.replaceAll('\0', '').toWellFormed();
  if (mimeType === ZIP || externalId.length > MAX_EXTERNAL_ID) {
    throw new Problem('unsupported_media_type');
  }
  return {
    ...archive,
    title: titleFrom(file.name),
    external_id: externalId,
    mimeType,
    sizeBytes: file.sizeBytes,
    sha256: file.hash,
    path: file.path,
    read: () => readFile(file.path),
  };
}
