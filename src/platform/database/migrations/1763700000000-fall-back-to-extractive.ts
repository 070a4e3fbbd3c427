import { MigrationInterface, QueryRunner, TableColumn } from 'typeorm';

const column = new TableColumn({
  name: 'fallback_to_extractive',
  type: 'boolean',
  isNullable: true,
});

/** Whether a knowledge base quotes where its model fails. */
export class FallBackToExtractive1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.addColumn('knowledge_base_settings', column);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropColumn('knowledge_base_settings', column);
  }
}
