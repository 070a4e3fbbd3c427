import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { requireEmpty } from './require-empty.js';
import { indexes, primary, toTableColumns } from './tables/columns.js';

/** The key that each request with an API key has to prove, and the proofs that were used. */
export class SenderConstraints1764500000021 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // TypeORM would copy the table on SQLite.
    await queryRunner.query('ALTER TABLE api_keys ADD COLUMN dpop_jkt varchar');
    const { string, instant } = toTableColumns(queryRunner.dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'used_proofs',
        columns: [string('id', primary), instant('expires_at')],
        indices: indexes(['expires_at']),
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.dropTable('used_proofs');
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN dpop_jkt');
  }
}
