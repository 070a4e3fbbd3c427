import type { MigrationInterface, QueryRunner } from 'typeorm';
import { INDEXES_OF_REPAIR } from './1764300000011-find-names-to-repair.js';
import { requireEmpty } from './require-empty.js';

/** Names are no longer repaired: processes of the version before cannot run beside this one. */
export class DropIndexesOfRepair1764400000041 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, index] of Object.entries(INDEXES_OF_REPAIR)) {
      await queryRunner.dropIndex(table, index);
    }
  }

  /** @throws Error while there are knowledge bases */
  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    for (const [table, index] of Object.entries(INDEXES_OF_REPAIR)) {
      await queryRunner.createIndex(table, index);
    }
  }
}
