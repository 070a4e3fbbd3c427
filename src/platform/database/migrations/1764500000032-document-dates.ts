import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from './require-empty.js';

const COLUMNS = ['date', 'date_from', 'source_date'];

/** The date of each document, what says so, and the date that its source says; and whether an answer's documents differ. */
export class DocumentDates1764500000032 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE messages ADD COLUMN conflict boolean');
    // TypeORM would copy the table on SQLite.
    for (const column of COLUMNS) {
      await queryRunner.query(`ALTER TABLE documents ADD COLUMN ${column} varchar`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.query('ALTER TABLE messages DROP COLUMN conflict');
    for (const column of COLUMNS) {
      await queryRunner.query(`ALTER TABLE documents DROP COLUMN ${column}`);
    }
  }
}
