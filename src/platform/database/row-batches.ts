import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { lockName } from './dialect.js';
import type { UnitOfWork } from './unit-of-work.js';

const BATCH = 1000;
const BATCHES = 'deletions in batches';

/**
 * Deletes the rows that match `condition`, one transaction per batch, so that other writers need not
 * wait long.
 *
 * @param condition SQL over `column`s, with a `:name` for each parameter
 * @param mayContinue asked before each batch
 * @returns the number of rows deleted, and whether the deletion was completed
 */
export async function deleteInBatches<T extends ObjectLiteral>(
  unitOfWork: UnitOfWork,
  entity: EntityTarget<T>,
  condition: string,
  parameters: ObjectLiteral,
  mayContinue: () => boolean | Promise<boolean>,
): Promise<{ deleted: number; isComplete: boolean }> {
  let deleted = 0;
  while (await mayContinue()) {
    const { affected } = await unitOfWork.run(async (manager) => {
      await lockName(manager, BATCHES, 'shared');
      const { tableName, primaryColumns } = manager.dataSource.getMetadata(entity);
      const key = primaryColumns.map(({ databaseName }) => databaseName).join(', ');
      const some = `SELECT ${key} FROM ${tableName} WHERE ${condition} LIMIT ${BATCH}`;
      return manager
        .createQueryBuilder()
        .delete()
        .from(entity)
        .where(`(${key}) IN (${some})`, parameters)
        .execute();
    });
    deleted += affected ?? 0;
    if ((affected ?? 0) < BATCH) return { deleted, isComplete: true };
  }
  return { deleted, isComplete: false };
}

/**
 * Waits for running batches, in a transaction that changes the result of their conditions. Later
 * batches wait for its end and see the change.
 */
export const awaitBatches = (manager: EntityManager): Promise<void> => lockName(manager, BATCHES);
