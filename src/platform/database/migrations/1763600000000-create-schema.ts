import { MigrationInterface, QueryRunner, Table, TableColumnOptions } from 'typeorm';
import { ColumnTypes, columnTypes } from '../dialect.js';

type Column = TableColumnOptions;

const column = (name: string, type: string, options: Partial<Column> = {}): Column => ({
  name,
  type,
  ...options,
});
const text = (name: string, options?: Partial<Column>) => column(name, 'varchar', options);
const integer = (name: string, options?: Partial<Column>) => column(name, 'integer', options);
const id = (name = 'id') => text(name, { isPrimary: true });
const nullable = { isNullable: true };

const belongsTo = (columnName: string, referencedTableName: string) => ({
  columnNames: [columnName],
  referencedTableName,
  referencedColumnNames: ['id'],
  onDelete: 'CASCADE',
});

const tables = ({ binary, instant, json, serial }: ColumnTypes) => {
  const at = (name: string, options?: Partial<Column>) => column(name, instant, options);
  return [
    new Table({
      name: 'knowledge_bases',
      columns: [
        id(),
        text('name'),
        text('description', nullable),
        text('state'),
        at('created_at'),
        at('updated_at'),
      ],
    }),
    new Table({
      name: 'knowledge_base_members',
      columns: [id(), text('kb_id'), text('user_id'), text('role'), at('created_at')],
      foreignKeys: [belongsTo('kb_id', 'knowledge_bases')],
      indices: [
        { columnNames: ['kb_id', 'user_id'], isUnique: true },
        { columnNames: ['user_id'] },
      ],
    }),
    new Table({
      name: 'api_keys',
      columns: [
        id(),
        text('kb_id'),
        text('name'),
        text('description', nullable),
        text('environment'),
        text('prefix'),
        text('secret_hash'),
        text('fast_hash'),
        text('pepper_id'),
        text('state'),
        at('created_at'),
        text('created_by'),
        at('expires_at', nullable),
        at('revoked_at', nullable),
        text('revoked_by', nullable),
        at('deleted_at', nullable),
        at('first_used_at', nullable),
        integer('rate_limit_per_minute', nullable),
        column('allowed_ips', json, nullable),
        text('rotated_from', nullable),
        text('rotated_to', nullable),
        text('rotation_root'),
      ],
      foreignKeys: [belongsTo('kb_id', 'knowledge_bases')],
      indices: [
        { columnNames: ['kb_id'] },
        { columnNames: ['fast_hash'], isUnique: true },
        { columnNames: ['prefix'], isUnique: true },
      ],
    }),
    new Table({
      name: 'api_key_activity',
      columns: [
        id('api_key_id'),
        at('last_used_at', nullable),
        text('last_ip', nullable),
        integer('refused_uses', { default: 0 }),
        at('last_refused_at', nullable),
        text('last_refused_ip', nullable),
      ],
      foreignKeys: [belongsTo('api_key_id', 'api_keys')],
    }),
    new Table({
      name: 'api_key_hours',
      columns: [
        id('api_key_id'),
        at('hour', { isPrimary: true }),
        integer('requests', { default: 0 }),
      ],
      foreignKeys: [belongsTo('api_key_id', 'api_keys')],
      indices: [{ columnNames: ['hour'] }],
    }),
    new Table({
      name: 'api_key_addresses',
      columns: [id('api_key_id'), text('ip', { isPrimary: true }), at('last_used_at')],
      foreignKeys: [belongsTo('api_key_id', 'api_keys')],
      indices: [{ columnNames: ['last_used_at'] }],
    }),
    new Table({
      name: 'audit_events',
      columns: [
        id(),
        text('kb_id'),
        text('actor'),
        text('action'),
        text('target_id'),
        at('created_at'),
        text('request_id'),
        column('details', json),
      ],
      foreignKeys: [belongsTo('kb_id', 'knowledge_bases')],
      indices: [{ columnNames: ['kb_id', 'id'] }],
    }),
    new Table({
      name: 'idempotency_records',
      columns: [id(), text('fingerprint'), column('answer', json), at('created_at')],
      indices: [{ columnNames: ['created_at'] }],
    }),
    new Table({
      name: 'documents',
      columns: [
        id(),
        text('kb_id'),
        text('title'),
        text('source_url', nullable),
        text('external_id', nullable),
        text('mime_type'),
        integer('size_bytes'),
        text('sha256'),
        column('metadata', json),
        text('state'),
        text('status'),
        text('error_code', nullable),
        text('error_message', nullable),
        integer('attempts', { default: 0 }),
        integer('claim', { default: 0 }),
        at('lease_until', nullable),
        integer('version', nullable),
        integer('chunk_count', { default: 0 }),
        at('created_at'),
        at('updated_at'),
        at('indexed_at', nullable),
      ],
      foreignKeys: [belongsTo('kb_id', 'knowledge_bases')],
      indices: [
        { columnNames: ['kb_id', 'state', 'status'] },
        { columnNames: ['kb_id', 'sha256'] },
        { columnNames: ['kb_id', 'external_id'] },
        { columnNames: ['status', 'lease_until'] },
        { columnNames: ['state'] },
      ],
    }),
    new Table({
      name: 'document_contents',
      columns: [id('document_id'), column('content', binary)],
      foreignKeys: [belongsTo('document_id', 'documents')],
    }),
    new Table({
      name: 'chunks',
      columns: [
        { ...serial, name: 'number' },
        text('id'),
        text('kb_id'),
        text('document_id'),
        integer('version'),
        integer('position'),
        column('text', 'text'),
        column('heading', 'text', nullable),
        integer('page', nullable),
      ],
      foreignKeys: [belongsTo('document_id', 'documents')],
      indices: [
        { columnNames: ['document_id', 'version', 'position'] },
        { columnNames: ['kb_id'] },
        { columnNames: ['id'], isUnique: true },
      ],
    }),
    new Table({
      name: 'conversations',
      columns: [
        id(),
        text('kb_id'),
        text('api_key_id'),
        text('environment'),
        text('end_user_id', nullable),
        at('created_at'),
        at('updated_at'),
      ],
      foreignKeys: [belongsTo('kb_id', 'knowledge_bases')],
      indices: [{ columnNames: ['kb_id'] }],
    }),
    new Table({
      name: 'messages',
      columns: [
        id(),
        text('conversation_id'),
        text('role'),
        column('content', 'text'),
        text('status'),
        column('answered', 'boolean', nullable),
        column('sources', json),
        at('created_at'),
      ],
      foreignKeys: [belongsTo('conversation_id', 'conversations')],
      indices: [{ columnNames: ['conversation_id'] }],
    }),
  ];
};

export class CreateSchema1763600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables(columnTypes(queryRunner.dataSource))) {
      await queryRunner.createTable(table);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { name } of tables(columnTypes(queryRunner.dataSource)).toReversed()) {
      await queryRunner.dropTable(name);
    }
  }
}
