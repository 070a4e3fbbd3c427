import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { requireEmpty } from './require-empty.js';

const COLUMNS = [
  ['content_number', 'integer NOT NULL DEFAULT 1'],
  ['searchable_number', 'integer NOT NULL DEFAULT 1'],
  ['version_of', 'varchar'],
  ['replaced_by', 'varchar'],
] as const;

const where = 'version_of IS NOT NULL';
const INDEXES = [
  { columnNames: ['version_of', 'content_number'], where },
  { columnNames: ['kb_id', 'replaced_at'], where },
];

/** The numbers of the contents of documents, and former ones that are kept. */
export class Versions1764500000033 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // TypeORM would copy the table on SQLite.
    for (const [column, type] of COLUMNS) {
      await queryRunner.query(`ALTER TABLE documents ADD COLUMN ${column} ${type}`);
    }
    for (const index of INDEXES) {
      await queryRunner.createIndex('documents', new TableIndex(index));
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    for (const index of INDEXES) {
      await queryRunner.dropIndex('documents', new TableIndex(index));
    }
    for (const [column] of COLUMNS) {
      await queryRunner.query(`ALTER TABLE documents DROP COLUMN ${column}`);
    }
  }
}
