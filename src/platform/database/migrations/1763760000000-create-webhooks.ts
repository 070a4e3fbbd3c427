import { MigrationInterface, QueryRunner, Table, TableIndex } from 'typeorm';
import type { TableColumnOptions } from 'typeorm';
import { columnTypes } from '../dialect.js';

const text = (name: string, options: Partial<TableColumnOptions> = {}) => ({
  name,
  type: 'varchar',
  ...options,
});
const primary = { isPrimary: true };
const nullable = { isNullable: true };

const belongsTo = (columnName: string, referencedTableName: string) => ({
  columnNames: [columnName],
  referencedTableName,
  referencedColumnNames: ['id'],
  onDelete: 'CASCADE',
});

const expiries = new TableIndex({ columnNames: ['expires_at'] });

/** Webhooks, the outbox of their deliveries, and what was told of events that are not told each time. */
export class CreateWebhooks1763760000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant } = columnTypes(queryRunner.dataSource);
    const at = (name: string, options: Partial<TableColumnOptions> = {}) => ({
      name,
      type: instant,
      ...options,
    });
    await queryRunner.createTable(
      new Table({
        name: 'webhooks',
        columns: [
          text('id', primary),
          text('kb_id'),
          text('url'),
          text('events', { type: 'text' }),
          text('description', nullable),
          text('state'),
          text('deactivation_reason', nullable),
          at('deactivated_at', nullable),
          text('secret'),
          at('secret_issued_at'),
          text('previous_secret', nullable),
          at('previous_secret_until', nullable),
          text('pepper_id'),
          { name: 'failing', type: 'boolean' },
          text('created_by'),
          at('created_at'),
          at('updated_at'),
        ],
        foreignKeys: [belongsTo('kb_id', 'knowledge_bases')],
        indices: [{ columnNames: ['kb_id'] }, { columnNames: ['state'] }],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'webhook_deliveries',
        columns: [
          text('id', primary),
          text('webhook_id'),
          text('event'),
          text('body', { type: 'text' }),
          text('state'),
          at('due_at', nullable),
          { name: 'attempts', type: 'integer' },
          { name: 'claim', type: 'integer' },
          at('last_attempt_at', nullable),
          { name: 'response_status', type: 'integer', isNullable: true },
          text('error', nullable),
          at('created_at'),
        ],
        foreignKeys: [belongsTo('webhook_id', 'webhooks')],
        indices: [
          { columnNames: ['due_at'] },
          { columnNames: ['webhook_id', 'state', 'id'] },
          { columnNames: ['webhook_id', 'id'] },
        ],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'webhook_notices',
        columns: [text('subject', primary), at('announced_at', nullable), at('told_at')],
        indices: [{ columnNames: ['told_at'] }],
      }),
    );
    await queryRunner.createIndex('api_keys', expiries);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('api_keys', expiries);
    await queryRunner.dropTable('webhook_notices');
    await queryRunner.dropTable('webhook_deliveries');
    await queryRunner.dropTable('webhooks');
  }
}
