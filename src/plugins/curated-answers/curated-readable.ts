import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Principals } from '../../knowledge-bases/access-rules/principals.js';
import { buildReadableSql } from '../../knowledge-bases/access-rules/readable.js';
import { isPostgres } from '../../platform/database/dialect.js';

/**
 * Excludes curated answers, joined as `curated`, that somebody may not read. An answer without a rule has
 * the rules of the documents that it names: it is for those who may read all of them, and for nobody once
 * one is deleted.
 */
export function whereCuratedReadable<T extends ObjectLiteral>(
  rows: SelectQueryBuilder<T>,
  curated: string,
  kbId: string,
  principals: Principals,
): SelectQueryBuilder<T> {
  const { toSql, parameters } = buildReadableSql(rows.dataSource, kbId, principals);
  const inherits = `${curated}.access_set_id IS NULL AND ${curated}.source_ids <> '[]'`;
  return rows.andWhere(
    `CASE WHEN ${inherits} THEN ${sqlHasSources(rows.dataSource, curated, toSql('named'))}
      ELSE ${toSql(curated)} END`,
    parameters,
  );
}

/** Excludes curated answers that nobody can read, because a document whose rules they have was deleted. */
export function whereCuratedLasts<T extends ObjectLiteral>(
  rows: SelectQueryBuilder<T>,
  curated: string,
): SelectQueryBuilder<T> {
  const hasSources = sqlHasSources(rows.dataSource, curated, 'TRUE');
  return rows.andWhere(`(${curated}.access_set_id IS NOT NULL OR ${hasSources})`);
}

/** SQL: whether all documents that a curated answer names exist and meet a condition on `named`. */
function sqlHasSources(dataSource: DataSource, curated: string, condition: string): string {
  const source = isPostgres(dataSource)
    ? `jsonb_array_elements_text(${curated}.source_ids) AS source (value)`
    : `json_each(${curated}.source_ids) AS source`;
  return `NOT EXISTS (SELECT 1 FROM ${source} WHERE NOT EXISTS (
    SELECT 1 FROM documents named WHERE named.id = source.value AND named.state = 'active'
    AND ${condition}))`;
}
