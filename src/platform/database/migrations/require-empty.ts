import type { QueryRunner } from 'typeorm';

/** @throws Error while there are knowledge bases, which a migration that is reverted would delete */
export async function requireEmpty(queryRunner: QueryRunner): Promise<void> {
  const found = (await queryRunner.query('SELECT 1 FROM knowledge_bases LIMIT 1')) as unknown[];
  if (found.length > 0) {
    throw new Error('There are knowledge bases in the database, which reverting would delete');
  }
}
