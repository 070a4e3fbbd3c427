import { Injectable } from '@nestjs/common';
import { type EntityManager, In, type SelectQueryBuilder } from 'typeorm';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { whereReadable } from '../knowledge-bases/access-rules/readable.js';
import { SearchStatus } from '../platform/health/search-status.js';
import type { Page, PageQueryDto } from '../platform/http/page.dto.js';
import { paginate } from '../platform/http/paginate.js';
import { type ChunkSettings, type DocumentDto, toDocumentDto } from './document.dto.js';
import { Document } from './document.entity.js';

/** Whom access rules hide documents from. */
interface Reader {
  readonly kbId: string;
  readonly principals: Principals;
}

/** Shows documents with the number of their passages that have vectors. */
@Injectable()
export class DocumentViews {
  constructor(private readonly searchStatus: SearchStatus) {}

  async toDto(
    manager: EntityManager,
    document: Document,
    settings: ChunkSettings,
    reader?: Reader,
  ): Promise<DocumentDto> {
    const vectors = await this.countVectors(manager, [document]);
    const [shown = document] = await hideUnreadable(manager, [document], reader);
    return toDocumentDto(shown, settings, vectors.get(document.id) ?? 0);
  }

  async toPage(
    manager: EntityManager,
    documents: SelectQueryBuilder<Document>,
    query: PageQueryDto,
    settings: ChunkSettings,
    reader?: Reader,
  ): Promise<Page<DocumentDto>> {
    const { data: found, ...page } = await paginate(documents, query, (document) => document);
    const data = await hideUnreadable(manager, found, reader);
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

/** Leaves out which documents take whose place where the reader may not read them. */
async function hideUnreadable(
  manager: EntityManager,
  documents: readonly Document[],
  reader: Reader | undefined,
): Promise<readonly Document[]> {
  const named = documents.flatMap(({ supersedes, supersededBy }) => [supersedes, supersededBy]);
  const ids = [...new Set(named.filter((id) => id !== null))];
  if (!reader || ids.length === 0) return documents;
  const { kbId, principals } = reader;
  const rows = manager
    .createQueryBuilder(Document, 'document')
    .select('document.id')
    .where({ kbId, state: 'active', id: In(ids) });
  const found = await whereReadable(rows, 'document', kbId, principals).getMany();
  const readable = new Set<string | null>(found.map(({ id }) => id));
  return documents.map((document) => {
    const { supersedes, supersededBy, supersededAt } = document;
    return {
      ...document,
      supersedes: readable.has(supersedes) ? supersedes : null,
      supersededBy: readable.has(supersededBy) ? supersededBy : null,
      supersededAt: readable.has(supersededBy) ? supersededAt : null,
    };
  });
}
