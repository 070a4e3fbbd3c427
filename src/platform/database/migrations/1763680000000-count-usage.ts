import { MigrationInterface, QueryRunner, Table, TableColumnOptions, TableIndex } from 'typeorm';
import { ColumnTypes, columnTypes } from '../dialect.js';

type Column = TableColumnOptions;

const column = (name: string, type: string, options: Partial<Column> = {}): Column => ({
  name,
  type,
  ...options,
});
const text = (name: string, options?: Partial<Column>) => column(name, 'varchar', options);
const integer = (name: string, options?: Partial<Column>) => column(name, 'integer', options);
const bigint = (name: string, options?: Partial<Column>) => column(name, 'bigint', options);
const primary = { isPrimary: true };
const nullable = { isNullable: true };

const belongsTo = (columnName: string, referencedTableName: string) => ({
  columnNames: [columnName],
  referencedTableName,
  referencedColumnNames: ['id'],
  onDelete: 'CASCADE',
});
const ofKnowledgeBase = [belongsTo('kb_id', 'knowledge_bases')];
const ofMessage = [belongsTo('message_id', 'messages')];

const tables = ({ instant }: ColumnTypes) => {
  const at = (name: string) => column(name, instant);
  return [
    new Table({
      name: 'job_leases',
      columns: [text('job', primary), text('holder'), at('expires_at')],
    }),
    new Table({
      name: 'message_feedback',
      columns: [
        text('message_id', primary),
        text('kb_id'),
        text('conversation_id'),
        text('rating'),
        column('comment', 'text', nullable),
        at('rated_at'),
      ],
      foreignKeys: ofMessage,
      indices: [{ columnNames: ['kb_id', 'rating', 'conversation_id'] }],
    }),
    new Table({
      name: 'unanswered_questions',
      columns: [
        text('message_id', primary),
        text('kb_id'),
        text('conversation_id'),
        text('environment'),
        bigint('topic'),
        at('asked_at'),
      ],
      foreignKeys: ofMessage,
      indices: [
        { columnNames: ['kb_id', 'asked_at', 'environment', 'topic', 'message_id'] },
        { columnNames: ['kb_id', 'conversation_id'] },
      ],
    }),
    new Table({
      name: 'usage_records',
      columns: [
        text('id', primary),
        text('kb_id'),
        text('api_key_id'),
        text('environment'),
        text('kind'),
        column('answered', 'boolean', nullable),
        column('began_conversation', 'boolean'),
        text('rating', nullable),
        bigint('prompt_tokens'),
        bigint('completion_tokens'),
        integer('latency_ms'),
        at('created_at'),
      ],
      foreignKeys: ofKnowledgeBase,
      indices: [{ columnNames: ['kb_id', 'created_at'] }],
    }),
    new Table({
      name: 'usage_counts',
      columns: [
        text('kb_id', primary),
        integer('grain', primary),
        integer('quarter', primary),
        text('api_key_id', primary),
        text('environment'),
        ...['queries', 'chats', 'conversations', 'answered', 'unanswered', 'up', 'down'].map(
          (name) => integer(name),
        ),
        bigint('prompt_tokens'),
        bigint('completion_tokens'),
        integer('refused'),
      ],
      foreignKeys: ofKnowledgeBase,
      withoutRowid: true,
    }),
    new Table({
      name: 'usage_latencies',
      columns: [
        text('kb_id', primary),
        integer('grain', primary),
        integer('quarter', primary),
        text('api_key_id', primary),
        integer('bucket', primary),
        text('environment'),
        integer('answers'),
      ],
      foreignKeys: ofKnowledgeBase,
      withoutRowid: true,
    }),
    new Table({
      name: 'usage_end_users',
      columns: [
        text('kb_id', primary),
        integer('day', primary),
        text('api_key_id', primary),
        bigint('end_user', primary),
        text('environment'),
        bigint('morning'),
        bigint('afternoon'),
      ],
      foreignKeys: ofKnowledgeBase,
      indices: [{ columnNames: ['kb_id', 'end_user'] }],
      withoutRowid: true,
    }),
    new Table({
      name: 'usage_documents',
      columns: [
        text('kb_id', primary),
        integer('day', primary),
        text('environment', primary),
        text('document_id', primary),
        integer('answers'),
      ],
      foreignKeys: ofKnowledgeBase,
      withoutRowid: true,
    }),
  ];
};

/** For the lists of conversations by each filter, and for finding those to be purged. */
const conversationIndices = [
  ['kb_id', 'id'],
  ['kb_id', 'end_user_id', 'id'],
  ['kb_id', 'created_at'],
  ['kb_id', 'updated_at'],
].map((columnNames) => new TableIndex({ columnNames }));

export class CountUsage1763680000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables(columnTypes(queryRunner.dataSource))) {
      await queryRunner.createTable(table);
    }
    await queryRunner.createIndices('conversations', conversationIndices);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const index of conversationIndices) await queryRunner.dropIndex('conversations', index);
    for (const { name } of tables(columnTypes(queryRunner.dataSource)).toReversed()) {
      await queryRunner.dropTable(name);
    }
  }
}
