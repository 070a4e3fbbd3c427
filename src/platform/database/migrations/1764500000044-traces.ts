import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../dialect.js';
import { requireEmpty } from './require-empty.js';

/** How each answer came about; unknown for the answers before. */
export class Traces1764500000044 implements MigrationInterface {
  readonly name = 'Traces1764500000044';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { json } = columnTypes(queryRunner.dataSource);
    // TypeORM would copy the table on SQLite, and lose its partial indexes.
    await queryRunner.query(`ALTER TABLE messages ADD COLUMN trace ${json}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.query('ALTER TABLE messages DROP COLUMN trace');
  }
}
