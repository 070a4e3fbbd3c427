import { MigrationInterface, QueryRunner, Table } from 'typeorm';

const COLUMNS = {
  finish_reason: 'varchar',
  model: 'varchar',
  prompt_tokens: 'integer',
  completion_tokens: 'integer',
  latency_ms: 'integer',
  api_key_id: 'varchar',
  environment: 'varchar',
};

/** How each answer came about, and how many messages a knowledge base has taken in a day. */
export class RecordAnswers1763670000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, type] of Object.entries(COLUMNS)) {
      // TypeORM's own addColumn would copy the whole table on SQLite.
      await queryRunner.query(`ALTER TABLE messages ADD COLUMN ${name} ${type}`);
    }
    await queryRunner.createTable(
      new Table({
        name: 'daily_message_counts',
        columns: [
          { name: 'kb_id', type: 'varchar', isPrimary: true },
          { name: 'day', type: 'varchar', isPrimary: true },
          { name: 'messages', type: 'integer' },
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
    await queryRunner.dropTable('daily_message_counts');
    await queryRunner.dropColumns('messages', Object.keys(COLUMNS));
  }
}
