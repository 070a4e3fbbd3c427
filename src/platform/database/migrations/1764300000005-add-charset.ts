import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The encoding that the uploader of a document named. */
export class AddCharset1764300000005 implements MigrationInterface {
  readonly name = 'AddCharset1764300000005';

  async up(queryRunner: QueryRunner): Promise<void> {
    // TypeORM would copy the table on SQLite, and lose its partial indexes.
    await queryRunner.query('ALTER TABLE documents ADD COLUMN charset varchar');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE documents DROP COLUMN charset');
  }
}
