import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { ZIP } from '@latchkey/extraction/formats';
import { Config } from '../platform/config/config.js';
import type { IdempotentRequest } from '../platform/idempotency/idempotency.js';
import { Problem } from '../platform/problems/problem.js';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import type { ArchiveDto, SkippedFileDto } from './archive.dto.js';
import type { DocumentDto } from './document.dto.js';
import {
  type DocumentUpload,
  DocumentUploadService,
  type UploadResult,
} from './document-upload.service.js';
import { ArchivedFiles, EncryptedError } from './upload/archived-files.js';
import { titleFrom } from './upload/document-body.js';
import { detectMediaType } from './upload/media-type.js';
import type { UploadedFile } from './upload/uploaded-file.js';

const MAX_EXTERNAL_ID = 255;
/** Files refused with these codes are skipped; the rest of the archive is still added. */
const SKIPPED = new Set<string>([
  'duplicate_document',
  'unsupported_media_type',
  'payload_too_large',
  'quota_reached',
]);

/** Adds documents of users: each file of a ZIP archive, and of archives in it, is one of its own. */
@Injectable()
export class ArchiveUploadService {
  private readonly maxBytes: number;

  constructor(
    config: Config,
    private readonly uploads: DocumentUploadService,
  ) {
    this.maxBytes = config.MAX_UPLOAD_BYTES;
  }

  /** @throws Problem also if an archive is too large or contains no readable file */
  async create(
    user: DashboardUser,
    kbId: string,
    upload: DocumentUpload,
    request?: IdempotentRequest,
  ): Promise<UploadResult<DocumentDto | ArchiveDto>> {
    const { mimeType, path } = upload;
    if (mimeType !== ZIP || path === undefined) {
      return this.uploads.create(user, kbId, upload, request);
    }
    const document = await this.unpack(user, kbId, { ...upload, path }, request);
    return { accepted: true, document };
  }

  private async unpack(
    user: DashboardUser,
    kbId: string,
    archive: DocumentUpload & { readonly path: string },
    request?: IdempotentRequest,
  ): Promise<ArchiveDto> {
    const files = await ArchivedFiles.open(archive.path, this.maxBytes);
    try {
      const documents: DocumentDto[] = [];
      const skipped: SkippedFileDto[] = [];
      let refusal: Problem | undefined;
      for await (const { path, unpack } of files) {
        const own = request && { ...request, operation: `${request.operation} ${path}` };
        try {
          const upload = await toUpload(archive, path, await unpack());
          documents.push((await this.uploads.create(user, kbId, upload, own)).document);
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
      await files.remove();
    }
  }
}

const nothingReadable = () =>
  new Problem('unsupported_media_type', { detail: 'The archive contains no readable file.' });

async function toUpload(
  archive: DocumentUpload,
  path: string,
  file: UploadedFile,
): Promise<DocumentUpload> {
  const mimeType = await detectMediaType(file);
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
