import { MigrationInterface, QueryRunner, TableIndex } from 'typeorm';
import { columnTypes } from '../dialect.js';

/**
 * For the duplicates of an upload. Without the state, SQLite prefers the index `kb_id, state, status`
 * and reads all documents of the knowledge base.
 */
const lookups = () => [
  new TableIndex({ columnNames: ['kb_id', 'sha256', 'state'] }),
  new TableIndex({ columnNames: ['kb_id', 'external_id', 'state'] }),
];

const formerLookups = () => [
  new TableIndex({ columnNames: ['kb_id', 'sha256'] }),
  new TableIndex({ columnNames: ['kb_id', 'external_id'] }),
  new TableIndex({ columnNames: ['state'] }),
];

/**
 * Partial indexes, which SQLite uses for nothing else. By an index of all states it found the documents
 * of a claim by reading every active document, although their ids were given.
 */
const partial = () => [
  new TableIndex({
    columnNames: ['reader_version'],
    where: `state = 'active' AND status IN ('ready', 'failed')`,
  }),
  new TableIndex({ columnNames: ['id'], where: `state = 'deactivated'` }),
];

/** What indexing finds out about a document beside its text, and how its duplicates are found. */
export class DescribeDocuments1763730000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { json } = columnTypes(queryRunner.dataSource);
    // TypeORM's own addColumn would copy the whole table on SQLite.
    for (const column of [
      'language varchar',
      'declared_language varchar',
      `warnings ${json}`,
      'reader_version integer NOT NULL DEFAULT 0',
    ]) {
      await queryRunner.query(`ALTER TABLE documents ADD COLUMN ${column}`);
    }
    await queryRunner.query(`ALTER TABLE chunks ADD COLUMN locator ${json}`);
    for (const index of [...lookups(), ...partial()]) {
      await queryRunner.createIndex('documents', index);
    }
    for (const index of formerLookups()) await queryRunner.dropIndex('documents', index);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const index of formerLookups()) await queryRunner.createIndex('documents', index);
    for (const index of [...lookups(), ...partial()]) {
      await queryRunner.dropIndex('documents', index);
    }
    await queryRunner.query('ALTER TABLE chunks DROP COLUMN locator');
    for (const column of ['reader_version', 'warnings', 'declared_language', 'language']) {
      await queryRunner.query(`ALTER TABLE documents DROP COLUMN ${column}`);
    }
  }
}
