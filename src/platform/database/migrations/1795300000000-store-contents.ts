import { MigrationInterface, QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../dialect.js';

/** The contents that are kept outside the database: as files, or in an object store. */
export class StoreContents1795300000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant } = columnTypes(queryRunner.dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'stored_contents',
        columns: [
          { name: 'key', type: 'varchar', isPrimary: true },
          { name: 'store', type: 'varchar' },
          { name: 'state', type: 'varchar' },
          { name: 'document_id', type: 'varchar', isNullable: true },
          { name: 'created_at', type: instant },
        ],
        foreignKeys: [
          {
            columnNames: ['document_id'],
            referencedTableName: 'documents',
            referencedColumnNames: ['id'],
            onDelete: 'SET NULL',
          },
        ],
        indices: [{ columnNames: ['document_id'], isUnique: true }],
      }),
    );
  }

  /** @throws Error while contents are there, of which nobody would know any more */
  async down(queryRunner: QueryRunner): Promise<void> {
    const rows = (await queryRunner.query('SELECT 1 FROM stored_contents LIMIT 1')) as unknown[];
    if (rows.length > 0) {
      throw new Error(
        'There are contents outside the database: run CONTENT_STORE=database npm run contents:move first',
      );
    }
    await queryRunner.dropTable('stored_contents');
  }
}
