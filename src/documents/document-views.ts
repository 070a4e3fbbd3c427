import { Injectable } from '@nestjs/common';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { SearchStatus } from '../platform/health/search-status.js';
import type { Page, PageQueryDto } from '../platform/http/page.dto.js';
import { paginate } from '../platform/http/paginate.js';
import { type ChunkSettings, type DocumentDto, toDocumentDto } from './document.dto.js';
import type { Document } from './document.entity.js';

/** Shows documents with the number of their passages that have vectors. */
@Injectable()
export class DocumentViews {
  constructor(private readonly searchStatus: SearchStatus) {}

  async toDto(
    manager: EntityManager,
    document: Document,
    settings: ChunkSettings,
  ): Promise<DocumentDto> {
    const vectors = await this.countVectors(manager, [document]);
    return toDocumentDto(document, settings, vectors.get(document.id) ?? 0);
  }

  async toPage(
    manager: EntityManager,
    documents: SelectQueryBuilder<Document>,
    query: PageQueryDto,
    settings: ChunkSettings,
  ): Promise<Page<DocumentDto>> {
    const { data, ...page } = await paginate(documents, query, (document) => document);
    const vectors = await this.countVectors(manager, data);
    const toDto = (document: Document) =>
      toDocumentDto(document, settings, vectors.get(document.id) ?? 0);
    return { data: data.map(toDto), ...page };
  }

  /** @returns by document, how many passages of the searchable version have a vector of the model in use */
  private async countVectors(
    manager: EntityManager,
    documents: readonly Document[],
  ): Promise<ReadonlyMap<string, number>> {
    const model = this.searchStatus.embeddings?.model;
    if (model === undefined || documents.length === 0) return new Map();
    const rows = await manager
      .createQueryBuilder()
      .select('v.document_id', 'id')
      .addSelect('v.version', 'version')
      .addSelect('v.vectors', 'vectors')
      .from('document_vectors', 'v')
      .where('v.document_id IN (:...ids) AND v.model = :model', {
        ids: documents.map(({ id }) => id),
        model,
      })
      .getRawMany<{ id: string; version: number; vectors: number }>();
    const versions = new Map(documents.map(({ id, version }) => [id, version]));
    const ofVersion = rows.filter(({ id, version }) => versions.get(id) === version);
    return new Map(ofVersion.map(({ id, vectors }) => [id, vectors]));
  }
}
