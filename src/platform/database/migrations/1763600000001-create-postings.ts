import { MigrationInterface, QueryRunner } from 'typeorm';

/** The full-text index of PostgreSQL (see PostgresSearchIndex); SQLite keeps its own in files. */
export class CreatePostings1763600000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.dataSource.options.type !== 'postgres') return;
    // Porter's stemmer and no stop words, which is what FTS5's `porter` does.
    await queryRunner.query(
      `CREATE TEXT SEARCH DICTIONARY latchkey_stem (TEMPLATE = snowball, LANGUAGE = porter)`,
    );
    await queryRunner.query(`CREATE TEXT SEARCH CONFIGURATION latchkey (PARSER = default)`);
    await queryRunner.query(
      `ALTER TEXT SEARCH CONFIGURATION latchkey
         ADD MAPPING FOR asciiword, word, numword, int, uint, float, sfloat, version
         WITH latchkey_stem`,
    );
    await queryRunner.query(
      `CREATE TABLE search_indexes (
         kb_id varchar PRIMARY KEY REFERENCES knowledge_bases (id) ON DELETE CASCADE,
         number integer GENERATED ALWAYS AS IDENTITY,
         chunks bigint NOT NULL DEFAULT 0,
         tokens bigint NOT NULL DEFAULT 0)`,
    );
    await queryRunner.query(
      `CREATE TABLE search_chunks (
         chunk_number bigint PRIMARY KEY,
         index_number integer NOT NULL,
         tokens integer NOT NULL,
         terms text[] NOT NULL)`,
    );
    await queryRunner.query(`CREATE INDEX search_chunks_by_index ON search_chunks (index_number)`);
    await queryRunner.query(
      `CREATE TABLE search_postings (
         index_number integer NOT NULL,
         term text NOT NULL,
         chunk_number bigint NOT NULL,
         frequency real NOT NULL,
         tokens integer NOT NULL)
       WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`,
    );
    // Covering, and led by the index number: a question reads the postings of its words in its own
    // knowledge base, side by side, and nothing else. Once they are vacuumed, that is, so this is
    // done early (above); until then each costs a look into the table.
    await queryRunner.query(
      `CREATE UNIQUE INDEX search_postings_by_term
         ON search_postings (index_number, term, chunk_number) INCLUDE (frequency, tokens)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.dataSource.options.type !== 'postgres') return;
    for (const table of ['search_postings', 'search_chunks', 'search_indexes']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    await queryRunner.query(`DROP TEXT SEARCH CONFIGURATION latchkey`);
    await queryRunner.query(`DROP TEXT SEARCH DICTIONARY latchkey_stem`);
  }
}
