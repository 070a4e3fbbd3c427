import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { requireEmpty } from './require-empty.js';

/** Dropped by DropIndexesOfRepair. */
export const INDEXES_OF_REPAIR = {
  directory_users: new TableIndex({ columnNames: ['updated_at', 'id'] }),
  knowledge_base_members: new TableIndex({ columnNames: ['created_at', 'id'] }),
  access_sets: new TableIndex({ columnNames: ['updated_at', 'id'] }),
  conversations: new TableIndex({
    columnNames: ['id'],
    where: 'compared_end_user_id IS NULL AND end_user_id IS NOT NULL',
  }),
};

/** Finds the names that a process of the version before writes beside this one. */
export class FindNamesToRepair1764300000011 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, index] of Object.entries(INDEXES_OF_REPAIR)) {
      await queryRunner.createIndex(table, index);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    for (const [table, index] of Object.entries(INDEXES_OF_REPAIR))
      await queryRunner.dropIndex(table, index);
  }
}
