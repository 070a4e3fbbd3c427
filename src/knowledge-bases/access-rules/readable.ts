import type { DataSource, EntityManager, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { isPostgres, sqlParameter } from '../../platform/database/dialect.js';
import type { Principals } from './principals.js';
import { sqlIsClosed, sqlIsReadable, withEveryone } from './readable-sql.js';

/** SQL: whether rules hide any document or curated answer of the knowledge base `kb` from anybody. */
const sqlHasRuledDocuments = (kb: string): string => `(${sqlIsClosed(kb)} OR EXISTS (
  SELECT 1 FROM access_sets used JOIN documents ruled
  ON ruled.access_set_id = used.id AND ruled.state = 'active' WHERE used.kb_id = ${kb}) OR EXISTS (
  SELECT 1 FROM curated_answers curated
  WHERE curated.kb_id = ${kb} AND curated.access_set_id IS NOT NULL))`;

export async function hasRuledDocuments(manager: EntityManager, kbId: string): Promise<boolean> {
  const kb = sqlParameter(manager.dataSource, 0);
  const sql = `SELECT 1 AS found FROM knowledge_bases kb WHERE kb.id = ${kb} AND ${sqlHasRuledDocuments('kb.id')}`;
  return (await manager.query<object[]>(sql, [kbId])).length > 0;
}

/** Builds the condition for a query builder, with its parameters. */
function buildReadableSql(
  dataSource: DataSource,
  kbId: string,
  principals: Principals,
): { readonly toSql: (document: string) => string; readonly parameters: ObjectLiteral } {
  const postgres = isPostgres(dataSource);
  const readers = withEveryone(principals);
  const toSql = (document: string) =>
    sqlIsReadable(document, ':readableKbId', (column) =>
      postgres
        ? `${column} = ANY (:readers)`
        : `${column} IN (SELECT value FROM json_each(:readers))`,
    );
  const parameters = { readableKbId: kbId, readers: postgres ? readers : JSON.stringify(readers) };
  return { toSql, parameters };
}

/** Excludes rows whose document, joined as `document`, somebody may not read. */
export function whereReadable<T extends ObjectLiteral>(
  rows: SelectQueryBuilder<T>,
  document: string,
  kbId: string,
  principals: Principals,
): SelectQueryBuilder<T> {
  const { toSql, parameters } = buildReadableSql(rows.dataSource, kbId, principals);
  return rows.andWhere(toSql(document), parameters);
}

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
