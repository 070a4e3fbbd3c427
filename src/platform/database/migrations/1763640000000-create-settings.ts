import { MigrationInterface, QueryRunner, Table, TableColumnOptions } from 'typeorm';
import { columnTypes } from '../dialect.js';

const optional = (name: string, type: string): TableColumnOptions => ({
  name,
  type,
  isNullable: true,
});

export class CreateSettings1763640000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { json } = columnTypes(queryRunner.dataSource);
    const float = queryRunner.dataSource.options.type === 'postgres' ? 'double precision' : 'float';
    await queryRunner.createTable(
      new Table({
        name: 'knowledge_base_settings',
        columns: [
          { name: 'kb_id', type: 'varchar', isPrimary: true },
          optional('system_prompt', 'text'),
          optional('temperature', float),
          optional('model', 'varchar'),
          optional('top_k', 'integer'),
          optional('min_score', float),
          optional('refusal_text', 'text'),
          optional('history_messages', 'integer'),
          optional('chunk_size', 'integer'),
          optional('chunk_overlap', 'integer'),
          optional('rate_limit_per_minute', 'integer'),
          optional('daily_message_limit', 'integer'),
          optional('allowed_origins', json),
          optional('retention_days', 'integer'),
        ],
        foreignKeys: [
          {
            columnNames: ['kb_id'],
            referencedTableName: 'knowledge_bases',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('knowledge_base_settings');
  }
}
