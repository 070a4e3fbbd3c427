import { MigrationInterface, QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../dialect.js';

/** Evaluations with their questions, and how much of a question an answer must speak of. */
export class EvaluateAnswers1763770000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, json } = columnTypes(queryRunner.dataSource);
    const optional = { isNullable: true };
    const float = queryRunner.dataSource.options.type === 'postgres' ? 'double precision' : 'float';
    // TypeORM's own addColumn would copy the whole table on SQLite.
    await queryRunner.query(
      `ALTER TABLE knowledge_base_settings ADD COLUMN answer_threshold ${float}`,
    );
    await queryRunner.createTable(
      new Table({
        name: 'evaluations',
        columns: [
          { name: 'id', type: 'varchar', isPrimary: true },
          { name: 'kb_id', type: 'varchar' },
          { name: 'name', type: 'varchar', ...optional },
          { name: 'status', type: 'varchar' },
          { name: 'settings', type: json },
          { name: 'question_count', type: 'integer' },
          { name: 'done_count', type: 'integer' },
          { name: 'figures', type: json, ...optional },
          { name: 'error_code', type: 'varchar', ...optional },
          { name: 'created_by', type: 'varchar' },
          { name: 'created_at', type: instant },
          { name: 'finished_at', type: instant, ...optional },
        ],
        foreignKeys: [
          {
            columnNames: ['kb_id'],
            referencedTableName: 'knowledge_bases',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
        indices: [{ columnNames: ['kb_id', 'id'] }, { columnNames: ['status'] }],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'evaluation_questions',
        columns: [
          { name: 'evaluation_id', type: 'varchar', isPrimary: true },
          { name: 'position', type: 'integer', isPrimary: true },
          { name: 'question', type: 'text' },
          { name: 'external_ids', type: json },
          { name: 'answer_contains', type: json },
          { name: 'answerable', type: 'boolean' },
          { name: 'rank', type: 'integer', ...optional },
          { name: 'ndcg', type: float, ...optional },
          { name: 'answered', type: 'boolean', ...optional },
          { name: 'is_right', type: 'boolean', ...optional },
          { name: 'latency_ms', type: 'integer', ...optional },
        ],
        foreignKeys: [
          {
            columnNames: ['evaluation_id'],
            referencedTableName: 'evaluations',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('evaluation_questions');
    await queryRunner.dropTable('evaluations');
    await queryRunner.query('ALTER TABLE knowledge_base_settings DROP COLUMN answer_threshold');
  }
}
