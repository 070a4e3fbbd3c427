import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Vectors of chunks, for hybrid search. And for PostgreSQL's index: what a passage's words look
 * like side by side, and the words that misspelt ones may mean; chunks that are indexed already are
 * taken in again in the background (see PostgresSearchIndex).
 */
export class ExtendSearchIndex1763660000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const postgres = queryRunner.dataSource.options.type === 'postgres';
    await queryRunner.query(
      `CREATE TABLE chunk_vectors (
         chunk_number ${postgres ? 'bigint' : 'integer'} PRIMARY KEY
           REFERENCES chunks (number) ON DELETE CASCADE,
         kb_id varchar NOT NULL,
         model varchar NOT NULL,
         ${postgres ? 'signs bit varying NOT NULL, vector bytea' : 'vector blob'} NOT NULL)`,
    );
    await queryRunner.query(`CREATE INDEX chunk_vectors_by_kb ON chunk_vectors (kb_id, model)`);
    if (!postgres) return;
    await queryRunner.query(`ALTER TABLE search_chunks ADD COLUMN codes bytea`);
    await queryRunner.query(
      `CREATE INDEX search_chunks_without_codes ON search_chunks (index_number)
         WHERE codes IS NULL`,
    );
    await queryRunner.query(
      `CREATE TABLE search_words (
         index_number integer NOT NULL,
         term text NOT NULL,
         word text NOT NULL,
         PRIMARY KEY (index_number, term, word))`,
    );
    await queryRunner.query(
      `CREATE TABLE search_spellings (
         index_number integer NOT NULL,
         key text NOT NULL,
         word text NOT NULL,
         PRIMARY KEY (index_number, key, word))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE chunk_vectors`);
    if (queryRunner.dataSource.options.type !== 'postgres') return;
    await queryRunner.query(`DROP TABLE search_spellings`);
    await queryRunner.query(`DROP TABLE search_words`);
    await queryRunner.query(`ALTER TABLE search_chunks DROP COLUMN codes`);
  }
}
