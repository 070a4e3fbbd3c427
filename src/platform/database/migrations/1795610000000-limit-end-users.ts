import { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['api_keys', 'knowledge_base_settings'];

/** The limit of requests in the name of one end user, of a key or of all keys of a knowledge base. */
export class LimitEndUsers1795610000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      // TypeORM's own addColumn would copy the whole table on SQLite.
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN rate_limit_per_end_user integer`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN rate_limit_per_end_user`);
    }
  }
}
