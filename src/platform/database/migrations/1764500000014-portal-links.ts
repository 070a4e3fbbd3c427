import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { belongsTo, indexes, nullable, primary, toTableColumns } from './tables/columns.js';

/** Links with which the holders of keys open the portal. */
export class PortalLinks1764500000014 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { string, boolean, json, instant } = toTableColumns(queryRunner.dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'portal_links',
        columns: [
          string('id', primary),
          string('api_key_id'),
          string('token_hash'),
          string('recipient', nullable),
          boolean('may_rotate'),
          string('maker_id'),
          json('maker_groups'),
          instant('created_at'),
          instant('expires_at'),
          instant('opened_at', nullable),
          string('session_hash', nullable),
        ],
        foreignKeys: [belongsTo('api_key_id', 'api_keys')],
        indices: [
          ...indexes(['api_key_id'], ['expires_at']),
          { columnNames: ['token_hash'], isUnique: true },
          { columnNames: ['session_hash'], isUnique: true },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('portal_links');
  }
}
