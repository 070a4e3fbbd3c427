import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { isPostgres, sqlParameter } from '../../platform/database/dialect.js';
import { Problem } from '../../platform/problems/problem.js';
import { Document } from '../../documents/document.entity.js';
import { type RangeHeaders, parseRange } from './byte-range.js';
import {
  type ByteRange,
  ContentMissingError,
  ContentStoreError,
} from '../../documents/contents/content-store.js';
import { ContentStores } from '../../documents/contents/content-stores.js';
import { toFileName } from '../../documents/file-name.js';
import { StoredContent } from '../../documents/contents/stored-content.entity.js';

/** The number of bytes that one query reads from PostgreSQL. */
const SLICE_BYTES = 1024 * 1024;
/** Larger than any upload. */
const MAX_BYTES = 2 ** 30;

export interface Download {
  readonly mimeType: string;
  /** The suggested file name. */
  readonly name: string;
  /** The size of the whole original. */
  readonly sizeBytes: number;
  /** Changes with the content. */
  readonly etag: string;
  /** The range that `stream` contains; undefined for the whole content. */
  readonly range: ByteRange | undefined;
  readonly stream: Readable;
}

/** Opens the original of a document as a stream. */
@Injectable()
export class ContentDownload {
  private readonly logger = new Logger(ContentDownload.name);
  private readonly sliceBytes: number;

  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    @InjectRepository(StoredContent) private readonly contents: Repository<StoredContent>,
    private readonly stores: ContentStores,
  ) {
    // SQLite reads the whole value even for a part of it, so it is read at once.
    this.sliceBytes = isPostgres(documents.manager.dataSource) ? SLICE_BYTES : MAX_BYTES;
  }

  /** @throws Problem `not_found`, `content_not_found`, `range_not_satisfiable`, `content_store_unavailable` */
  async open(document: Document, headers: RangeHeaders): Promise<Download> {
    const { id, sha256, mimeType, sizeBytes } = document;
    const etag = `"${sha256}"`;
    const range = parseRange(headers, sizeBytes, etag);
    const stream =
      (await this.openStored(document, range)) ?? (await this.openRow(document, range));
    if (stream) return { mimeType, name: toFileName(document), sizeBytes, etag, range, stream };
    const current = await this.documents.findOneBy({ id, state: 'active' });
    if (!current) throw new Problem('not_found');
    // Replaced since it was read: open the new content.
    if (current.sha256 !== sha256) return this.open(current, headers);
    throw new Problem('content_not_found');
  }

  private async openStored(
    { id: documentId, sha256 }: Document,
    range: ByteRange | undefined,
  ): Promise<Readable | undefined> {
    const content = await this.contents.findOneBy({ documentId, document: { sha256 } });
    if (!content) return undefined;
    try {
      const store = await this.stores.at(content.store);
      return await store.read(content.key, range);
    } catch (error) {
      if (error instanceof ContentMissingError) return undefined;
      if (!(error instanceof ContentStoreError)) throw error;
      this.logger.error(error);
      throw new Problem('content_store_unavailable');
    }
  }

  private async openRow(
    document: Document,
    range: ByteRange = { first: 0, last: document.sizeBytes - 1 },
  ): Promise<Readable | undefined> {
    const slice = await this.readSlice(document, range);
    return slice && Readable.from(this.readOn(document, range, slice), { objectMode: false });
  }

  private async *readOn(
    document: Document,
    { first, last }: ByteRange,
    start: Buffer,
  ): AsyncGenerator<Buffer> {
    let slice: Buffer | undefined = start;
    for (let next = first; ; slice = await this.readSlice(document, { first: next, last })) {
      // Replaced or deleted since the first slice: the error aborts the response, so that the client
      // sees that it is incomplete.
      if (!slice) throw new Error(`The content of ${document.id} changed while it was read`);
      yield slice;
      next += slice.length;
      if (next > last || slice.length === 0) return;
    }
  }

  /** @returns undefined when the document has no such content in the database */
  private async readSlice(
    { id, sha256 }: Document,
    { first, last }: ByteRange,
  ): Promise<Buffer | undefined> {
    const { manager } = this.documents;
    const parameters = [0, 1].map((index) => sqlParameter(manager.dataSource, index));
    const length = Math.min(last - first + 1, this.sliceBytes);
    const rows = await manager.query<{ slice: Buffer }[]>(
      `SELECT substr(content, ${first + 1}, ${length}) AS slice
       FROM document_contents JOIN documents ON documents.id = document_contents.document_id
       WHERE document_contents.document_id = ${String(parameters[0])} AND documents.state = 'active'
         AND documents.sha256 = ${String(parameters[1])}`,
      [id, sha256],
    );
    return rows[0]?.slice;
  }
}
