import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from './require-empty.js';

const COLUMNS = ['date', 'date_from', 'source_date'];

/** The date of each document, what says so, and the date that its source says. */
export class DocumentDates1764500000032 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // TypeORM would copy the table on SQLite.
    for (const column of COLUMNS) {
      await queryRunner.query(`ALTER TABLE documents ADD COLUMN ${column} varchar`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    for (const column of COLUMNS) {
      await queryRunner.query(`ALTER TABLE documents DROP COLUMN ${column}`);
    }
  }
}
