import type { DeleteQueryBuilder, EntityManager, ObjectLiteral, UpdateQueryBuilder } from 'typeorm';

/**
 * Runs a builder's statement within a unit of work in the order of calls, which its own `execute`
 * does not keep.
 *
 * @returns how many rows it changed
 */
export async function affectedBy<T extends ObjectLiteral>(
  manager: EntityManager,
  builder: UpdateQueryBuilder<T> | DeleteQueryBuilder<T>,
): Promise<number> {
  const [sql, parameters] = builder.getQueryAndParameters();
  // SQLite has one for all.
  const runner = manager.queryRunner ?? manager.dataSource.createQueryRunner();
  const { affected } = await runner.query(sql, parameters, true);
  return affected ?? 0;
}
