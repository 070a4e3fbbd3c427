import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { SearchScope } from '@latchkey/ranking/search-index';
import { whereReadable } from '../knowledge-bases/access-rules/readable.js';
import { Document } from './document.entity.js';
import { whereMetadata } from './search/where-metadata.js';

/** A title, with the first of the documents that have it. */
export interface DocumentTitle {
  readonly title: string;
  readonly documentId: string;
}

/** Lists the titles of the documents in a knowledge base. */
@Injectable()
export class DocumentTitles {
  constructor(@InjectRepository(Document) private readonly documents: Repository<Document>) {}

  /**
   * Returns the distinct titles of the first documents of a knowledge base.
   *
   * @param scope which documents the credential may see
   */
  async findTitles(
    kbId: string,
    { filter, principals }: SearchScope,
    limit: number,
  ): Promise<DocumentTitle[]> {
    const documents = this.documents
      .createQueryBuilder('document')
      .select('document.title', 'title')
      .addSelect('MIN(document.id)', 'documentId')
      .where({ kbId, state: 'active', status: 'ready' })
      .groupBy('document.title')
      .orderBy('MIN(document.id)')
      .limit(limit);
    whereReadable(documents, 'document', kbId, principals);
    const rows = filter ? whereMetadata(documents, 'document.metadata', filter) : documents;
    return rows.getRawMany<DocumentTitle>();
  }
}
