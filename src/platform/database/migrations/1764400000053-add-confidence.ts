import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from './require-empty.js';

/** How sure an answer without a language model is; unknown for the answers before. */
export class AddConfidence1764400000053 implements MigrationInterface {
  readonly name = 'AddConfidence1764400000053';

  async up(queryRunner: QueryRunner): Promise<void> {
    // TypeORM would copy the table on SQLite, and lose its partial indexes.
    await queryRunner.query('ALTER TABLE messages ADD COLUMN confidence float');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.query('ALTER TABLE messages DROP COLUMN confidence');
  }
}
