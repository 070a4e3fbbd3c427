import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../dialect.js';
import { requireEmpty } from './require-empty.js';
import { belongsTo, indexes, primary, toTableColumns } from './tables/columns.js';

/** Runs that a client carries out, and the files of it that were refused. */
export class Oikb1764500000034 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const types = columnTypes(queryRunner.dataSource);
    // TypeORM would copy the table on SQLite.
    await queryRunner.query(`ALTER TABLE source_runs ADD COLUMN active_at ${types.instant}`);
    const { string, instant } = toTableColumns(queryRunner.dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'refused_files',
        columns: [
          string('source_id', primary),
          string('key', primary),
          string('version'),
          string('code'),
          string('message'),
          instant('created_at'),
        ],
        indices: indexes(['created_at']),
        foreignKeys: [belongsTo('source_id', 'sources')],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.dropTable('refused_files');
    await queryRunner.query('ALTER TABLE source_runs DROP COLUMN active_at');
  }
}
