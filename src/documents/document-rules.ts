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

/** Columns that decide whether a document is found, besides its rule. */
const FOUND_BY = ['metadata', 'validFrom', 'validUntil'] as const;

/**
 * Returns the columns to change when a document gets other metadata or another validity, and records the change so
 * that cached results are refreshed.
 */
export async function foundColumns(
  manager: EntityManager,
  document: Pick<Document, 'kbId' | (typeof FOUND_BY)[number]>,
  changed: { readonly [Name in (typeof FOUND_BY)[number]]?: unknown },
): Promise<Partial<Pick<typeof newRuleColumns, 'rulesVersion'>>> {
  const { kbId } = document;
  const isSame = (name: (typeof FOUND_BY)[number]) =>
    changed[name] === undefined || isDeepStrictEqual(changed[name], document[name]);
  if (FOUND_BY.every(isSame)) return {};
  await noteMetadataOfDocuments(manager, kbId);
  const { rulesVersion } = newRuleColumns;
  return { rulesVersion };
}
