import { MigrationInterface, QueryRunner, TableColumn, TableIndex } from 'typeorm';
import { ColumnTypes, columnTypes } from '../dialect.js';

const columns = ({ instant }: ColumnTypes) => [
  new TableColumn({ name: 'chunk_size', type: 'integer', isNullable: true }),
  new TableColumn({ name: 'chunk_overlap', type: 'integer', isNullable: true }),
  new TableColumn({ name: 'next_attempt_at', type: instant, isNullable: true }),
];
const queue = new TableIndex({ columnNames: ['status', 'kb_id', 'id'] });

/** With what a document was indexed, and when the next attempt may begin. */
export class RememberChunking1763650000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.addColumns('documents', columns(columnTypes(queryRunner.dataSource)));
    await queryRunner.createIndex('documents', queue);
    // What held for all until now.
    await queryRunner.query(
      'UPDATE documents SET chunk_size = 300, chunk_overlap = 30 WHERE version IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('documents', queue);
    await queryRunner.dropColumns('documents', columns(columnTypes(queryRunner.dataSource)));
  }
}
