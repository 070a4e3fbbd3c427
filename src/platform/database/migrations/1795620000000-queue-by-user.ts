import { MigrationInterface, QueryRunner, TableIndex } from 'typeorm';

const byUser = () => new TableIndex({ columnNames: ['status', 'user_id', 'kb_id', 'id'] });
const byKnowledgeBase = () => new TableIndex({ columnNames: ['status', 'kb_id', 'id'] });

/** The next document to index is found by its user first, however many knowledge bases each has. */
export class QueueByUser1795620000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE documents ADD user_id varchar NOT NULL DEFAULT ''`);
    await queryRunner.query(
      `UPDATE documents SET user_id = COALESCE(
         (SELECT created_by FROM knowledge_bases WHERE id = documents.kb_id), kb_id)`,
    );
    await queryRunner.createIndex('documents', byUser());
    await queryRunner.dropIndex('documents', byKnowledgeBase());
    await queryRunner.query('ALTER TABLE indexing_turns ADD last_kb_id varchar');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE indexing_turns DROP COLUMN last_kb_id');
    await queryRunner.createIndex('documents', byKnowledgeBase());
    await queryRunner.dropIndex('documents', byUser());
    await queryRunner.query('ALTER TABLE documents DROP COLUMN user_id');
  }
}
