import { isDeepStrictEqual } from 'node:util';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { noteMetadataOfDocuments } from '../knowledge-bases/access-rules/access-rules.js';
import { AccessSet } from '../knowledge-bases/access-rules/access-set.entity.js';
import { newRuleColumns } from '../knowledge-bases/access-rules/new-rule.js';
import { Document } from './document.entity.js';

/** Joins documents with their access rules, for users who may change them; see `toDocumentDto`. */
export const withRule = (documents: SelectQueryBuilder<Document>): SelectQueryBuilder<Document> =>
  documents.leftJoinAndMapOne(
    'document.accessSet',
    AccessSet,
    'access_set',
    'access_set.id = document.accessSetId',
  );

export const findWithRule = (manager: EntityManager, id: string): Promise<Document> =>
  withRule(manager.createQueryBuilder(Document, 'document').where({ id })).getOneOrFail();

/**
 * Returns the columns to change when a document gets new metadata, and records the change so that
 * cached filter results are refreshed.
 */
export async function metadataColumns(
  manager: EntityManager,
  { kbId, metadata: former }: Pick<Document, 'kbId' | 'metadata'>,
  metadata: unknown,
): Promise<Partial<Pick<typeof newRuleColumns, 'rulesVersion'>>> {
  if (metadata === undefined || isDeepStrictEqual(metadata, former)) return {};
  await noteMetadataOfDocuments(manager, kbId);
  const { rulesVersion } = newRuleColumns;
  return { rulesVersion };
}
