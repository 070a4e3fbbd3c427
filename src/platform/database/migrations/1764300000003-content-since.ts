import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../dialect.js';

/** As statements: TypeORM would write the table of SQLite anew. */
export class ContentSince1764300000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant } = columnTypes(queryRunner.dataSource);
    await queryRunner.query(`ALTER TABLE documents ADD COLUMN content_since ${instant}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE documents DROP COLUMN content_since');
  }
}
