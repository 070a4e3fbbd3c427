import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../dialect.js';
import { requireEmpty } from './require-empty.js';
import { toTableColumns, indexes, nullable, ofKnowledgeBase, primary } from './tables/columns.js';

/** Rules that outlive their documents, and what is known of the paths of a source's access map. */
export class KeepRules1764300000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { string, instant } = toTableColumns(queryRunner.dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'kept_rules',
        columns: [
          string('owner_id', primary),
          string('key', primary),
          string('kb_id'),
          string('sha256'),
          string('access_set_id'),
          string('source_rule', nullable),
          instant('created_at'),
        ],
        foreignKeys: ofKnowledgeBase,
        indices: indexes(['owner_id', 'sha256'], ['kb_id'], ['access_set_id'], ['created_at']),
      }),
    );
    // TypeORM would copy the table on SQLite.
    const { json } = columnTypes(queryRunner.dataSource);
    await queryRunner.query(`ALTER TABLE sources ADD COLUMN access_paths ${json}`);
  }

  /** @throws Error while there are knowledge bases, whose kept rules would be lost */
  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.query('ALTER TABLE sources DROP COLUMN access_paths');
    await queryRunner.dropTable('kept_rules');
  }
}
