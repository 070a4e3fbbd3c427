import {
  type MigrationInterface,
  type QueryRunner,
  Table,
  TableColumn,
  TableForeignKey,
  TableIndex,
} from 'typeorm';
import { requireEmpty } from './require-empty.js';
import {
  belongsTo,
  indexes,
  nullable,
  ofKnowledgeBase,
  primary,
  toTableColumns,
} from './tables/columns.js';

const BY_OWNER = new TableIndex({ columnNames: ['owner_id'] });
const FORMER_INDEXES = indexes(['kb_id'], ['service_account_id']).map(
  (index) => new TableIndex(index),
);
const FORMER_FOREIGN_KEYS = [
  ...ofKnowledgeBase,
  belongsTo('service_account_id', 'service_accounts'),
].map((foreignKey) => new TableForeignKey(foreignKey));

/**
 * What a key opens is one row of `api_key_grants` for each knowledge base, and its owner is a type and an id.
 * Processes of the version before cannot go on after it.
 */
export class GrantsOfKeys1764400000011 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { string, integer, text, json } = toTableColumns(queryRunner.dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'api_key_grants',
        columns: [
          string('key_id', primary),
          integer('position', primary),
          string('kb_id'),
          text('scopes'),
          json('filter', nullable),
        ],
        foreignKeys: [belongsTo('key_id', 'api_keys'), ...ofKnowledgeBase],
        indices: [{ columnNames: ['kb_id', 'key_id'], isUnique: true }],
        withoutRowid: true,
      }),
    );
    await queryRunner.query(
      `INSERT INTO api_key_grants (key_id, position, kb_id, scopes, filter)
       SELECT id, 0, kb_id, scopes, filter FROM api_keys WHERE kb_id IS NOT NULL
       UNION ALL
       SELECT api_key_id, position, kb_id, scopes, filter FROM api_key_knowledge_bases`,
    );
    await queryRunner.dropTable('api_key_knowledge_bases');
    for (const column of ['owner_type varchar', 'owner_id varchar', 'management_scopes text']) {
      await queryRunner.query(`ALTER TABLE api_keys ADD COLUMN ${column}`);
    }
    await queryRunner.query(
      `UPDATE api_keys SET owner_id = COALESCE(kb_id, service_account_id),
         owner_type = CASE WHEN kb_id IS NULL THEN 'service_account' ELSE 'knowledge_base' END,
         management_scopes = CASE WHEN kb_id IS NULL THEN scopes END`,
    );
    for (const name of ['owner_type', 'owner_id']) {
      const column = (await queryRunner.getTable('api_keys'))?.findColumnByName(name);
      if (!column) throw new Error(`api_keys has no column ${name}`);
      // Of its own type: as any other, PostgreSQL's column would be dropped and added again.
      const required = column.clone();
      required.isNullable = false;
      await queryRunner.changeColumn('api_keys', column, required);
    }
    await queryRunner.dropColumns('api_keys', ['kb_id', 'service_account_id', 'scopes', 'filter']);
    await queryRunner.createIndex('api_keys', BY_OWNER);
  }

  /** @throws Error while there are knowledge bases; keys of service accounts are kept */
  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    const { string, integer, text, json } = toTableColumns(queryRunner.dataSource);
    await queryRunner.dropTable('api_key_grants');
    await queryRunner.createTable(
      new Table({
        name: 'api_key_knowledge_bases',
        columns: [
          string('api_key_id', primary),
          string('kb_id', primary),
          integer('position'),
          text('scopes'),
          json('filter', nullable),
        ],
        foreignKeys: [belongsTo('api_key_id', 'api_keys'), ...ofKnowledgeBase],
        indices: indexes(['kb_id']),
      }),
    );
    const former = [
      string('kb_id', nullable),
      string('service_account_id', nullable),
      text('scopes', { default: `'query,chat,feedback'` }),
      json('filter', nullable),
    ];
    await queryRunner.addColumns(
      'api_keys',
      former.map((column) => new TableColumn(column)),
    );
    await queryRunner.query(
      'UPDATE api_keys SET service_account_id = owner_id, scopes = management_scopes',
    );
    await queryRunner.dropColumns('api_keys', ['owner_type', 'owner_id', 'management_scopes']);
    await queryRunner.createForeignKeys('api_keys', FORMER_FOREIGN_KEYS);
    await queryRunner.createIndices('api_keys', FORMER_INDEXES);
  }
}
