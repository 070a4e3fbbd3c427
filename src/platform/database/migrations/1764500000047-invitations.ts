import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { requireEmpty } from './require-empty.js';
import { indexes, nullable, ofKnowledgeBase, primary, toTableColumns } from './tables/columns.js';

/** Links with which people become members of a knowledge base. */
export class Invitations1764500000047 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { string, integer, json, instant } = toTableColumns(queryRunner.dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'invitations',
        columns: [
          string('id', primary),
          string('kb_id'),
          string('role'),
          string('token_hash'),
          integer('max_uses'),
          integer('uses'),
          string('maker_id'),
          json('maker_groups'),
          string('created_by'),
          instant('created_at'),
          instant('expires_at'),
          instant('withdrawn_at', nullable),
        ],
        foreignKeys: ofKnowledgeBase,
        indices: [
          ...indexes(['kb_id'], ['expires_at']),
          { columnNames: ['token_hash'], isUnique: true },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.dropTable('invitations');
  }
}
