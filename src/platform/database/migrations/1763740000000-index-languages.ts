import { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres } from '../dialect.js';

/**
 * PostgreSQL's index keeps postings in blocks, and which languages it has. Chunks that are indexed
 * already are of format 0; they are indexed again in the background (see Reindexing). SQLite's index
 * files have a format of their own.
 */
export class IndexLanguages1763740000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (!isPostgres(queryRunner.dataSource)) return;
    // The free space keeps updates of a block on its page, where no index has to be written.
    await queryRunner.query(
      `CREATE TABLE search_blocks (
         index_number integer NOT NULL,
         term text NOT NULL,
         first bigint NOT NULL,
         postings smallint NOT NULL,
         block bytea NOT NULL,
         PRIMARY KEY (index_number, term, first)) WITH (fillfactor = 70)`,
    );
    // Not within CREATE TABLE, which takes it from PostgreSQL 16 on.
    await queryRunner.query(`ALTER TABLE search_blocks ALTER COLUMN block SET STORAGE PLAIN`);
    await queryRunner.query(
      `CREATE TABLE search_languages (
         index_number integer NOT NULL,
         language varchar NOT NULL,
         chunks bigint NOT NULL,
         PRIMARY KEY (index_number, language))`,
    );
    await queryRunner.query(
      `ALTER TABLE search_chunks ADD COLUMN language varchar,
         ADD COLUMN format smallint NOT NULL DEFAULT 0`,
    );
    await queryRunner.query(
      `CREATE INDEX search_chunks_of_former_format ON search_chunks (index_number)
         WHERE format = 0`,
    );
    await queryRunner.query(`DROP INDEX search_chunks_without_codes`);
    await queryRunner.query(
      `CREATE INDEX search_words_by_word ON search_words (index_number, word)`,
    );
  }

  /** The version before finds chunks without codes, and indexes them again. */
  async down(queryRunner: QueryRunner): Promise<void> {
    if (!isPostgres(queryRunner.dataSource)) return;
    await queryRunner.query(`DROP INDEX search_words_by_word`);
    await queryRunner.query(`UPDATE search_chunks SET codes = NULL WHERE format > 0`);
    await queryRunner.query(
      `CREATE INDEX search_chunks_without_codes ON search_chunks (index_number)
         WHERE codes IS NULL`,
    );
    await queryRunner.query(`ALTER TABLE search_chunks DROP COLUMN format, DROP COLUMN language`);
    await queryRunner.query(`DROP TABLE search_languages`);
    await queryRunner.query(`DROP TABLE search_blocks`);
  }
}
