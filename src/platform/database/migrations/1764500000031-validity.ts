import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { columnTypes } from '../dialect.js';
import { requireEmpty } from './require-empty.js';

const MOMENTS = ['valid_from', 'valid_until', 'superseded_at'];
const REFERENCES = ['supersedes', 'superseded_by'];

const INDEXES = [
  ...MOMENTS.map((column) => ({ columnNames: ['kb_id', column], where: `${column} IS NOT NULL` })),
  ...REFERENCES.map((column) => ({ columnNames: [column], where: `${column} IS NOT NULL` })),
];

/** When documents are valid, and which one has taken the place of another. */
export class Validity1764500000031 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant } = columnTypes(queryRunner.dataSource);
    // TypeORM would copy the table on SQLite.
    for (const column of MOMENTS) {
      await queryRunner.query(`ALTER TABLE documents ADD COLUMN ${column} ${instant}`);
    }
    for (const column of REFERENCES) {
      await queryRunner.query(`ALTER TABLE documents ADD COLUMN ${column} varchar`);
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
    for (const column of [...MOMENTS, ...REFERENCES]) {
      await queryRunner.query(`ALTER TABLE documents DROP COLUMN ${column}`);
    }
  }
}
