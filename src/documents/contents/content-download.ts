import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { create as contentDisposition } from 'content-disposition';
import { Repository } from 'typeorm';
import { isPostgres, sqlParameter } from '../../platform/database/dialect.js';
import { Problem } from '../../platform/problems/problem.js';
import { Document } from '../document.entity.js';
import {
  type ContentDescription,
  ContentMissingError,
  ContentStoreError,
} from './content-store.js';
import { ContentStores } from './content-stores.js';
import { fileName } from './file-name.js';
import { StoredContent } from './stored-content.entity.js';

/** How much of a content in PostgreSQL one query reads. */
const SLICE_BYTES = 1024 * 1024;
/** More than any upload has. */
const MAX_BYTES = 2 ** 30;

export type Download = ContentDescription & { readonly sizeBytes: number } & (
    | { readonly stream: Readable }
    /** The client is redirected to it. */
    | { readonly url: string }
  );

/** Opens the original of a document as a stream, or as a URL of the object store. */
@Injectable()
export class ContentDownload {
  private readonly logger = new Logger(ContentDownload.name);
  private readonly sliceBytes: number;

  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    @InjectRepository(StoredContent) private readonly contents: Repository<StoredContent>,
    private readonly stores: ContentStores,
  ) {
    // SQLite reads the whole value for each part of it.
    this.sliceBytes = isPostgres(documents.manager.dataSource) ? SLICE_BYTES : MAX_BYTES;
  }

  /**
   * @param redirect whether a URL of the object store may be the result
   * @throws Problem `not_found`, `content_not_found`, `content_store_unavailable`
   */
  async open(document: Document, redirect: boolean): Promise<Download> {
    const { id, sha256, mimeType, sizeBytes } = document;
    const disposition = contentDisposition(fileName(document));
    const description = { mimeType, sizeBytes, disposition };
    const stored = await this.openStored(document, redirect ? description : undefined);
    const source = stored ?? (await this.openRow(document));
    if (source) return { ...description, ...source };
    const current = await this.documents.findOneBy({ id, state: 'active' });
    if (!current) throw new Problem('not_found');
    // Replaced since it was read: open the new content.
    if (current.sha256 !== sha256) return this.open(current, redirect);
    throw new Problem('content_not_found');
  }

  private async openStored(
    { id: documentId, sha256 }: Document,
    linked: ContentDescription | undefined,
  ): Promise<{ stream: Readable } | { url: string } | undefined> {
    const content = await this.contents.findOneBy({ documentId, document: { sha256 } });
    if (!content) return undefined;
    try {
      const store = await this.stores.at(content.store);
      if (store.link && linked) return { url: await store.link(content.key, linked) };
      return { stream: await store.read(content.key) };
    } catch (error) {
      if (error instanceof ContentMissingError) return undefined;
      if (!(error instanceof ContentStoreError)) throw error;
      this.logger.error(error);
      throw new Problem('content_store_unavailable');
    }
  }

  private async openRow(document: Document): Promise<{ stream: Readable } | undefined> {
    const first = await this.readSlice(document, 0);
    if (!first) return undefined;
    return { stream: Readable.from(this.readOn(document, first), { objectMode: false }) };
  }

  private async *readOn(document: Document, first: Buffer): AsyncGenerator<Buffer> {
    let slice: Buffer | undefined = first;
    for (let read = 0; ; slice = await this.readSlice(document, read)) {
      // Replaced or deleted since the first slice: the error aborts the response, so that the client
      // sees that it is incomplete.
      if (!slice) throw new Error(`The content of ${document.id} changed while it was read`);
      yield slice;
      read += slice.length;
      if (slice.length < this.sliceBytes || read >= document.sizeBytes) return;
    }
  }

  /** @returns undefined when the document has no such content in the database */
  private async readSlice({ id, sha256 }: Document, offset: number): Promise<Buffer | undefined> {
    const { manager } = this.documents;
    const [first, second] = [0, 1].map((index) => sqlParameter(manager.dataSource, index));
    const rows = await manager.query<{ slice: Buffer }[]>(
      `SELECT substr(content, ${offset + 1}, ${this.sliceBytes}) AS slice
       FROM document_contents JOIN documents ON documents.id = document_contents.document_id
       WHERE document_contents.document_id = ${first} AND documents.state = 'active'
         AND documents.sha256 = ${second}`,
      [id, sha256],
    );
    return rows[0]?.slice;
  }
}
