import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import type { SearchScope } from '@latchkey/ranking/search-index';
import { whereReadable } from '../knowledge-bases/access-rules/readable.js';
import { Document } from './document.entity.js';
import { sqlNow } from '../platform/database/dialect.js';
import { sqlIsValid } from './search/validity.js';
import { whereMetadata } from './search/where-metadata.js';

/** A title, with the first of the documents that have it. */
export interface DocumentTitle {
  readonly title: string;
  readonly documentId: string;
}

/** A document as an answer lists it. */
export type ListedDocument = Pick<Document, 'id' | 'title' | 'metadata'>;

/** Lists the documents in a knowledge base by title. */
@Injectable()
export class DocumentTitles {
  constructor(@InjectRepository(Document) private readonly documents: Repository<Document>) {}

  /**
   * Returns the distinct titles of the first documents of a knowledge base.
   *
   * @param scope which documents the credential may see
   */
  async findTitles(kbId: string, scope: SearchScope, limit: number): Promise<DocumentTitle[]> {
    return this.select(kbId, scope)
      .andWhere({ status: 'ready' })
      .select('document.title', 'title')
      .addSelect('MIN(document.id)', 'documentId')
      .groupBy('document.title')
      .orderBy('MIN(document.id)')
      .limit(limit)
      .getRawMany<DocumentTitle>();
  }

  /** Lists the first documents of a knowledge base that a search with the scope could find. */
  async list(kbId: string, scope: SearchScope, limit: number): Promise<ListedDocument[]> {
    return this.selectSearchable(kbId, scope)
      .select(['document.id', 'document.title', 'document.metadata'])
      .orderBy('document.id')
      .take(limit)
      .getMany();
  }

  /** Counts the documents of a knowledge base that a search with the scope could find. */
  async count(kbId: string, scope: SearchScope): Promise<number> {
    return this.selectSearchable(kbId, scope).getCount();
  }

  /** While a document is processed again, its former passages are found. */
  private selectSearchable(kbId: string, scope: SearchScope): SelectQueryBuilder<Document> {
    return this.select(kbId, scope).andWhere('document.version > document.closedVersion');
  }

  private select(
    kbId: string,
    { filter, principals, includesInvalid }: SearchScope,
  ): SelectQueryBuilder<Document> {
    const documents = this.documents
      .createQueryBuilder('document')
      .where({ kbId, state: 'active' });
    whereReadable(documents, 'document', kbId, principals);
    if (!includesInvalid) {
      documents.andWhere(sqlIsValid('document', sqlNow(this.documents.manager.dataSource)));
    }
    return filter ? whereMetadata(documents, 'document.metadata', filter) : documents;
  }
}
