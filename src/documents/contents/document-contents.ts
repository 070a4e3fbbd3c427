import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Problem } from '../../platform/problems/problem.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { DocumentContent } from '../document-content.entity.js';
import { ContentPurge } from './content-purge.js';
import {
  ContentMissingError,
  type ContentSource,
  type ContentStore,
  ContentStoreError,
} from './content-store.js';
import { ContentStores } from './content-stores.js';
import { StoredContent } from './stored-content.entity.js';

/** An uploaded content that a transaction may attach to a document. */
export interface UploadedContent {
  readonly source: ContentSource;
  /** Its key in the store; undefined when the transaction writes it into the database. */
  readonly key: string | undefined;
  isAttached: boolean;
  /** Whether the document had another content in a store that must now be removed. */
  hasReplaced: boolean;
}

/** Reads and writes the contents of documents, in the database or in a store outside of it. */
@Injectable()
export class DocumentContents {
  private readonly logger = new Logger(DocumentContents.name);

  constructor(
    @InjectRepository(DocumentContent) private readonly contents: Repository<DocumentContent>,
    @InjectRepository(StoredContent) private readonly stored: Repository<StoredContent>,
    private readonly unitOfWork: UnitOfWork,
    private readonly stores: ContentStores,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Writes a content into the configured store, then runs `transact`, whose transaction may attach it to
   * a document. A content that was not attached is removed.
   *
   * @param isNeeded called before anything is written. If it returns false, nothing is written to the
   * store, and a transaction that attaches the content writes it into the database.
   * @throws Problem `content_store_unavailable`
   */
  async upload<T>(
    source: ContentSource,
    isNeeded: () => Promise<boolean>,
    transact: (content: UploadedContent) => Promise<T>,
  ): Promise<T> {
    const key = await this.write(source, isNeeded);
    const content: UploadedContent = { source, key, isAttached: false, hasReplaced: false };
    try {
      const result = await transact(content);
      if (!content.isAttached) await this.release(content);
      if (content.hasReplaced) this.jobs.start(ContentPurge);
      return result;
    } catch (error) {
      await this.release(content);
      throw error;
    }
  }

  /** Attaches the content to a document, replacing the current one. */
  async attach(
    manager: EntityManager,
    documentId: string,
    content: UploadedContent,
    isNew: boolean,
  ): Promise<void> {
    const { source, key } = content;
    if (!isNew) {
      const former = { documentId };
      const { affected } = await manager.update(StoredContent, former, { documentId: null });
      content.hasReplaced = affected === 1;
    }
    if (key === undefined) {
      await writeRow(manager, documentId, await source.read(), isNew);
      return;
    }
    if (!isNew) await manager.delete(DocumentContent, { documentId });
    const uploading = { key, state: 'uploading' } as const;
    const attached = { documentId, state: 'stored' } as const;
    const { affected } = await manager.update(StoredContent, uploading, attached);
    // The upload took so long that ContentPurge treats it as abandoned.
    if (affected !== 1) throw new Problem('content_store_unavailable');
    content.isAttached = true;
  }

  /** Returns the contents by document id; an error stands in for a content missing from its store. */
  async read(documentIds: readonly string[]): Promise<Map<string, Buffer | ContentMissingError>> {
    const found = await this.readOnce(documentIds);
    const missing = documentIds.filter((id) => !Buffer.isBuffer(found.get(id)));
    if (missing.length === 0) return found;
    // A content may have been moved between the lookup and the read.
    return new Map([...found, ...(await this.readOnce(missing))]);
  }

  private async readOnce(
    documentIds: readonly string[],
  ): Promise<Map<string, Buffer | ContentMissingError>> {
    const documentId = In(documentIds);
    const found = new Map<string, Buffer | ContentMissingError>();
    for (const row of await this.contents.findBy({ documentId })) {
      found.set(row.documentId, row.content);
    }
    if (found.size === documentIds.length) return found;
    const stored = await this.stored.findBy({ documentId });
    const read = async ({ documentId: id, store: location, key }: StoredContent) => {
      const content = await this.readStored(location, key);
      if (id !== null) found.set(id, content);
    };
    await Promise.all(stored.map(read));
    return found;
  }

  private async readStored(location: string, key: string): Promise<Buffer | ContentMissingError> {
    try {
      const store = await this.stores.at(location);
      return await buffer(await store.read(key));
    } catch (error) {
      if (error instanceof ContentMissingError) return error;
      if (error instanceof ContentStoreError) throw error;
      throw new ContentStoreError('The content could not be read', { cause: error });
    }
  }

  private async write(
    source: ContentSource,
    isNeeded: () => Promise<boolean>,
  ): Promise<string | undefined> {
    try {
      const store = await this.stores.current();
      if (!store || source.sizeBytes <= store.inlineBytes || !(await isNeeded())) return undefined;
      return await this.writeTo(store, source);
    } catch (error) {
      if (!(error instanceof ContentStoreError)) throw error;
      this.logger.error(error);
      throw new Problem('content_store_unavailable');
    }
  }

  /** @returns the key, for `attach` */
  async writeTo(store: ContentStore, source: ContentSource): Promise<string> {
    const key = randomUUID();
    const row = { key, store: store.location, state: 'uploading', createdAt: new Date() } as const;
    await this.unitOfWork.run((manager) => manager.insert(StoredContent, row));
    try {
      await store.write(key, source);
      return key;
    } catch (error) {
      await this.release({ key });
      throw error;
    }
  }

  /** Marks a content for removal, unless it was attached. */
  async release({ key }: Pick<UploadedContent, 'key'>): Promise<void> {
    if (key === undefined) return;
    try {
      const uploading = { key, state: 'uploading' } as const;
      await this.unitOfWork.run((manager) =>
        manager.update(StoredContent, uploading, { state: 'stored' }),
      );
      this.jobs.start(ContentPurge);
    } catch (error) {
      // ContentPurge removes it later, as an abandoned upload.
      this.logger.error(error);
    }
  }
}

async function writeRow(
  manager: EntityManager,
  documentId: string,
  content: Buffer,
  isNew: boolean,
): Promise<void> {
  if (!isNew) {
    const { affected } = await manager.update(DocumentContent, { documentId }, { content });
    if (affected === 1) return;
  }
  await manager.insert(DocumentContent, { documentId, content });
}
