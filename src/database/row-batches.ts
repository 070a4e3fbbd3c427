import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/**
 * Deletes at most `limit` of the rows that match `condition`, so that other writers need not wait long.
 *
 * @param condition SQL over `column`s, with a `:name` for each parameter
 * @returns how many were deleted
 */
export async function deleteSome<T extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<T>,
  condition: string,
  parameters: ObjectLiteral,
  limit: number,
): Promise<number> {
  const { tableName, primaryColumns } = manager.dataSource.getMetadata(entity);
  const key = primaryColumns.map(({ databaseName }) => databaseName).join(', ');
  const { affected } = await manager
    .createQueryBuilder()
    .delete()
    .from(entity)
    .where(
      `(${key}) IN (SELECT ${key} FROM ${tableName} WHERE ${condition} LIMIT ${limit})`,
      parameters,
    )
    .execute();
  return affected ?? 0;
}
