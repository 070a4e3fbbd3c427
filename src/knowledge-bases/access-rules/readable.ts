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
export function buildReadableSql(
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
