import { MigrationInterface, QueryRunner } from 'typeorm';
import { columnTypes } from '../dialect.js';

/** Tables and their new columns. */
const columns = (json: string): [table: string, name: string, definition: string][] => [
  ['api_keys', 'scopes', `text NOT NULL DEFAULT 'query,chat,feedback'`],
  ['api_keys', 'filter', json],
  ['knowledge_base_settings', 'key_max_age_days', 'integer'],
  ['messages', 'filter_hash', 'varchar'],
];

/**
 * What an API key may be used for and which documents it opens, the longest life of new keys, and the
 * filter under which an answer was given.
 */
export class RestrictApiKeys1763750000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { json } = columnTypes(queryRunner.dataSource);
    for (const [table, name, definition] of columns(json)) {
      // TypeORM's own addColumn would copy the whole table on SQLite.
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${definition}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, name] of columns('')) {
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
    }
  }
}
