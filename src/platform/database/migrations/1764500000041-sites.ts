import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { requireEmpty } from './require-empty.js';
import { belongsTo, indexes, nullable, primary, toTableColumns } from './tables/columns.js';

/** Lists the conversations of a site. */
const CONVERSATIONS_OF_KEY = new TableIndex({ columnNames: ['kb_id', 'api_key_id', 'id'] });

/** Websites on which visitors ask a knowledge base, and the challenges that were solved for it. */
export class Sites1764500000041 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { string, json, integer, instant } = toTableColumns(queryRunner.dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'sites',
        columns: [
          string('id', primary),
          string('api_key_id'),
          string('name'),
          json('origins'),
          string('greeting', nullable),
          json('suggestions'),
          json('theme'),
          string('contact_url', nullable),
          integer('proof_of_work'),
          integer('per_address_per_day', nullable),
          string('state'),
          string('created_by'),
          instant('created_at'),
          instant('updated_at'),
        ],
        indices: [{ columnNames: ['api_key_id'], isUnique: true }],
        foreignKeys: [belongsTo('api_key_id', 'api_keys')],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'used_challenges',
        columns: [string('id', primary), instant('expires_at')],
        indices: indexes(['expires_at']),
      }),
    );
    await queryRunner.createIndex('conversations', CONVERSATIONS_OF_KEY);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.dropIndex('conversations', CONVERSATIONS_OF_KEY);
    await queryRunner.dropTable('used_challenges');
    await queryRunner.dropTable('sites');
  }
}
