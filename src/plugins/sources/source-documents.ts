import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan, Not, Repository } from 'typeorm';
import { EML, ZIP } from '@latchkey/extraction/formats';
import { type SourceContent, type SourceEntry, SourceError } from '@latchkey/sources/source-kind';
import type { Actor } from '../../knowledge-bases/events/event.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { Config } from '../../platform/config/config.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Problem } from '../../platform/problems/problem.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Document, type SourceAccess } from '../../documents/document.entity.js';
import { parseCharset } from '../../documents/charset.js';
import { DocumentQuotas } from '../../documents/document-quotas.js';
import { ACTIVE } from '../../documents/document-status.js';
import {
  activeDocuments,
  type DocumentOrigin,
  DocumentTransitions,
} from '../../documents/document-transitions.js';
import {
  type DocumentUpload,
  DocumentUploadService,
} from '../../documents/document-upload.service.js';
import { keepRule, toRuleText } from '../../documents/kept-rules.js';
import { PassagePurge } from '../../documents/passage-purge.js';
import { uploadDirectory } from '../../documents/upload/abandoned-uploads.js';
import { titleFrom } from '../../documents/upload/document-body.js';
import { detectMediaType } from '../../documents/upload/media-type.js';
import { UploadedFile } from '../../documents/upload/uploaded-file.js';
import { readDate } from './source-date.js';

const BATCH = 500;
/** Documents that one transaction deletes; uploads to the knowledge base wait for it. */
const DELETE_BATCH = 50;
/** PostgreSQL indexes keys of up to some 2,700 bytes. */
const MAX_KEY_BYTES = 1000;
const MAX_URL = 2048;

/** The columns of a source's document that a comparison needs. */
export type KnownDocument = Pick<
  Document,
  'id' | 'sourceKey' | 'sourceVersion' | 'sourceAccess' | 'sha256'
>;
const KNOWN = {
  ...{ id: true, sourceKey: true, sourceVersion: true, sourceAccess: true, sha256: true },
} as const;

/** A document whose content, place or access rule has changed at its source. */
export interface ChangedEntry {
  readonly entry: SourceEntry;
  readonly known: KnownDocument;
}

/** The source whose documents a run changes, and a check that it may still do so. */
export interface SyncTarget {
  readonly kbId: string;
  readonly sourceId: string;
  readonly actor: Actor;
  /** Called in each transaction after locking the knowledge base. @throws Problem `not_found` */
  readonly authorize: (manager: EntityManager) => Promise<void>;
}

/** Changes the documents that come from a source, and no others. */
@Injectable()
export class SourceDocuments {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly uploads: DocumentUploadService,
    private readonly transitions: DocumentTransitions,
    private readonly quotas: DocumentQuotas,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly config: Config,
  ) {}

  /** Finds the documents with these keys. */
  async findKnown(sourceId: string, keys: readonly string[]): Promise<Map<string, KnownDocument>> {
    const sourceKey = In(keys);
    const found = await this.documents.find({
      select: KNOWN,
      where: { sourceId, sourceKey, state: ACTIVE },
    });
    return new Map(found.map((document) => [document.sourceKey ?? '', document]));
  }

  /** Yields all documents of a source in the order of their keys. */
  async *readAll(sourceId: string): AsyncIterable<KnownDocument> {
    for (let last = ''; ;) {
      const batch = await this.documents.find({
        select: KNOWN,
        where: { sourceId, sourceKey: MoreThan(last), state: ACTIVE },
        order: { sourceKey: 'ASC' },
        take: BATCH,
      });
      yield* batch;
      if (batch.length < BATCH) return;
      last = batch.at(-1)?.sourceKey ?? '';
    }
  }

  /**
   * Stores a content as a document of the source.
   *
   * @throws SourceError, Problem
   */
  async put(target: SyncTarget, entry: SourceEntry, content: SourceContent) {
    const directory = uploadDirectory(this.config);
    await mkdir(directory, { recursive: true });
    const path = join(directory, randomUUID());
    try {
      const upload = await this.receive(entry, content, path);
      return await this.uploads.sync({ ...target, origin: toOrigin(target, entry) }, upload);
    } finally {
      content.body.destroy();
      await rm(path, { force: true });
    }
  }

  /** Stores an uploaded file as a document of the source. @throws Problem */
  async putFile(target: SyncTarget, entry: SourceEntry, file: UploadedFile) {
    const charset = parseCharset(file.partType);
    const upload = await toUpload(entry, file, { ...(charset !== undefined && { charset }) });
    return this.uploads.sync({ ...target, origin: toOrigin(target, entry) }, upload);
  }

  /**
   * Stores a changed access rule before the content is loaded, because loading may fail. Until changed
   * content is loaded, nobody can read the former content: the new rule may not apply to it.
   */
  async putRule(target: SyncTarget, changed: ChangedEntry): Promise<void> {
    const { entry, known } = changed;
    const origin = hasOtherContent(changed)
      ? { ...toPlace(target, entry), sourceVersion: known.sourceVersion, sourceAccess: HIDDEN }
      : toOrigin(target, entry);
    await this.uploads.syncPlace({ ...target, origin }, known, () => ({}));
  }

  /** Stores the new place and access rule of a document. */
  async move(target: SyncTarget, { entry, known }: ChangedEntry): Promise<void> {
    const [before, now] = [known.sourceKey ?? '', entry.key].map((key) => titleFrom(basename(key)));
    await this.uploads.syncPlace(
      { ...target, origin: toOrigin(target, entry) },
      known,
      ({ title }) => ({
        sourceUrl: toStorableUrl(entry),
        ...(now !== undefined && title === before && { title: now }),
      }),
    );
  }

  /**
   * Keeps the access rules that a user set on documents that are gone at the source but stay here: the source
   * may have their content at another place now.
   */
  async keepRules({ kbId, sourceId, authorize }: SyncTarget, ids: readonly string[]) {
    for (let start = 0; start < ids.length; start += BATCH) {
      const id = In(ids.slice(start, start + BATCH));
      await this.unitOfWork.run(async (manager) => {
        await this.knowledgeBases.lock(manager, kbId);
        await authorize(manager);
        const ruled = { id, sourceId, state: ACTIVE, accessSetId: Not(IsNull()) };
        for (const document of await manager.findBy(Document, ruled)) {
          await keepRule(manager, document);
        }
      });
    }
  }

  /** Documents that no longer belong to the source are left. */
  async remove(target: SyncTarget, ids: readonly string[], report: (deleted: number) => void) {
    const { kbId, sourceId, actor } = target;
    for (let start = 0; start < ids.length; start += DELETE_BATCH) {
      const id = In(ids.slice(start, start + DELETE_BATCH));
      const deleted = await this.unitOfWork.run(async (manager) => {
        await this.knowledgeBases.lock(manager, kbId);
        await target.authorize(manager);
        const found = await manager.findBy(Document, { id, sourceId, state: 'active' });
        for (const document of found) {
          const details = { title: document.title };
          await keepRule(manager, document);
          await this.transitions.apply(manager, actor, 'delete', document, { details });
        }
        const bytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        await this.quotas.count(manager, kbId, { documents: -found.length, bytes: -bytes });
        return found.length;
      });
      report(deleted);
    }
    this.jobs.start(PassagePurge);
  }

  /** Detaches the documents of a source from it, in the caller's transaction. */
  async detach(manager: EntityManager, sourceId: string): Promise<void> {
    const none = { sourceId: null, sourceKey: null, sourceVersion: null, syncedAt: null };
    for await (const ids of activeDocuments(manager, { sourceId })) {
      await manager.update(Document, { id: In(ids), sourceId, state: ACTIVE }, none);
    }
  }

  /**
   * Deletes the documents of a source, in the caller's transaction, which has locked the knowledge base.
   *
   * @returns the number of deleted documents
   */
  async removeAll(manager: EntityManager, kbId: string, sourceId: string): Promise<number> {
    const total = await manager
      .createQueryBuilder(Document, 'document')
      .select('COUNT(*)', 'documents')
      .addSelect('COALESCE(SUM(document.sizeBytes), 0)', 'bytes')
      .where({ sourceId, state: ACTIVE })
      .getRawOne<{ documents: number | string; bytes: number | string }>();
    const documents = Number(total?.documents ?? 0);
    if (documents === 0) return 0;
    await this.transitions.deleteWithSource(manager, sourceId);
    const bytes = -Number(total?.bytes ?? 0);
    await this.quotas.count(manager, kbId, { documents: -documents, bytes });
    return documents;
  }

  private async receive(
    entry: SourceEntry,
    content: SourceContent,
    path: string,
  ): Promise<DocumentUpload> {
    const { hash, size } = await receiveContent(content, path, this.config.MAX_UPLOAD_BYTES);
    const name = content.fileName ?? basename(entry.key);
    const declared = content.mimeType ?? entry.mimeType ?? '';
    return toUpload(entry, new UploadedFile(path, name, declared, hash, size), content);
  }
}

/** @throws Problem `unsupported_media_type` */
async function toUpload(
  entry: SourceEntry,
  file: UploadedFile,
  { title, charset }: Pick<SourceContent, 'title' | 'charset'>,
): Promise<DocumentUpload> {
  const { path, name, sizeBytes, hash, declaredType } = file;
  // A mail without a sender would be taken for a text, and what is attached to it for letters.
  const mimeType = await detectMediaType(file, declaredType === EML ? EML : undefined);
  if (mimeType === ZIP) {
    throw new Problem('unsupported_media_type', {
      detail: 'Archives in sources are not supported.',
    });
  }
  return {
    ...(charset !== undefined && mimeType.startsWith('text/') && { charset }),
    title: titleFrom(title ?? entry.title ?? name),
    source_url: toStorableUrl(entry),
    mimeType,
    sizeBytes,
    sha256: hash,
    path,
    read: () => readFile(path),
  };
}

/** Nobody can read the document until its content is loaded. */
const HIDDEN: SourceAccess = 'unreadable';

const toPlace = ({ sourceId }: SyncTarget, { key }: SourceEntry) => ({
  sourceId,
  sourceKey: storedKey(key),
});

const toOrigin = (target: SyncTarget, entry: SourceEntry): DocumentOrigin => ({
  ...toPlace(target, entry),
  sourceVersion: storedVersion(entry),
  sourceAccess: entry.access ?? null,
  sourceDate: readDate(entry),
});

const toStorableUrl = ({ url }: SourceEntry) => (url !== '' && url.length <= MAX_URL ? url : null);

/** @throws SourceError */
async function receiveContent({ body }: SourceContent, path: string, maxBytes: number) {
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(
    body,
    async function* (source: AsyncIterable<Buffer>) {
      for await (const bytes of source) {
        hash.update(bytes);
        size += bytes.length;
        if (size > maxBytes) throw new SourceError('too_large', 'The document is too large.');
        yield bytes;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  );
  if (size === 0) throw new SourceError('unreadable', 'The document is empty.');
  return { hash: hash.digest('hex'), size };
}

const hashIfLong = (text: string, maxBytes: number) =>
  Buffer.byteLength(text) <= maxBytes
    ? text
    : `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Returns the key as it is stored; a very long key is replaced by its hash. */
export const storedKey = (key: string) => hashIfLong(key, MAX_KEY_BYTES);

/** Returns the version as it is stored. It includes the access rule, so that it changes with the rule. */
export const storedVersion = ({ version, access }: Pick<SourceEntry, 'version' | 'access'>) =>
  hashIfLong(access ? `${version} ${toRuleText(access)}` : version, MAX_KEY_BYTES);

/** @returns the version without the access rule; null if the document has no content from its source */
export function versionOfContent({ sourceVersion, sourceAccess }: KnownDocument): string | null {
  const rule = ` ${toRuleText(sourceAccess)}`;
  return sourceAccess && sourceVersion?.endsWith(rule)
    ? sourceVersion.slice(0, -rule.length)
    : sourceVersion;
}

export const hasOtherRule = ({ entry, known }: ChangedEntry): boolean =>
  toRuleText(entry.access) !== toRuleText(known.sourceAccess);

export const hasOtherContent = ({ entry: { version }, known }: ChangedEntry): boolean =>
  storedVersion({ version, ...(known.sourceAccess && { access: known.sourceAccess }) }) !==
  known.sourceVersion;
