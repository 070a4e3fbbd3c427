import { MigrationInterface, QueryRunner, TableIndex } from 'typeorm';

/** Authenticating reads the state of a knowledge base from the index alone. */
export class IndexKnowledgeBaseState1763640000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createIndex(
      'knowledge_bases',
      new TableIndex({ columnNames: ['id', 'state'] }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex(
      'knowledge_bases',
      new TableIndex({ columnNames: ['id', 'state'] }),
    );
  }
}
