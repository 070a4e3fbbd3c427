import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres } from '../dialect.js';
import { requireEmpty } from './require-empty.js';

/**
 * The vectors of the windows of each chunk, as packages/embeddings stores them. What has a higher
 * `serial` was stored later, so that readers keep the codes and read only new ones.
 */
const chunkVectors = (postgres: boolean) => {
  const bytes = postgres ? 'bytea' : 'blob';
  return [
    `CREATE TABLE chunk_vectors (
       serial ${postgres ? 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY' : 'integer PRIMARY KEY AUTOINCREMENT'},
       chunk_number ${postgres ? 'bigint' : 'integer'} NOT NULL UNIQUE
         REFERENCES chunks (number) ON DELETE CASCADE,
       kb_id varchar NOT NULL,
       model varchar NOT NULL,
       windows integer NOT NULL,
       codes ${bytes} NOT NULL,
       places ${bytes} NOT NULL,
       vectors ${bytes} NOT NULL)`,
    `CREATE INDEX chunk_vectors_by_kb ON chunk_vectors (kb_id, model, serial)`,
    // They do not become smaller, and are read more often than written.
    ...(postgres ? [`ALTER TABLE chunk_vectors ALTER COLUMN vectors SET STORAGE EXTERNAL`] : []),
  ];
};

/** The full-text index of PostgreSQL (see PostgresSearchIndex); SQLite has its own in files. */
const POSTGRES_INDEX = [
  `CREATE TABLE search_indexes (
     kb_id varchar PRIMARY KEY REFERENCES knowledge_bases (id) ON DELETE CASCADE,
     number integer GENERATED ALWAYS AS IDENTITY)`,
  `CREATE TABLE search_chunks (
     chunk_number bigint PRIMARY KEY,
     index_number integer NOT NULL,
     tokens integer NOT NULL,
     terms text NOT NULL,
     codes bytea NOT NULL,
     language varchar)`,
  `CREATE INDEX search_chunks_by_index ON search_chunks (index_number)`,
  // The free space keeps updates of a block on its page, where no index has to be written.
  `CREATE TABLE search_blocks (
     index_number integer NOT NULL,
     term text NOT NULL,
     first bigint NOT NULL,
     postings smallint NOT NULL,
     block bytea NOT NULL,
     PRIMARY KEY (index_number, term, first)) WITH (fillfactor = 70)`,
  // Not within CREATE TABLE, which takes it from PostgreSQL 16 on.
  `ALTER TABLE search_blocks ALTER COLUMN block SET STORAGE PLAIN`,
  `CREATE TABLE search_languages (
     index_number integer NOT NULL,
     language varchar NOT NULL,
     chunks bigint NOT NULL,
     tokens bigint NOT NULL,
     PRIMARY KEY (index_number, language))`,
  `CREATE TABLE search_words (
     index_number integer NOT NULL,
     term text NOT NULL,
     word text NOT NULL,
     PRIMARY KEY (index_number, term, word))`,
  `CREATE INDEX search_words_by_word ON search_words (index_number, word)`,
  `CREATE TABLE search_spellings (
     index_number integer NOT NULL,
     key text NOT NULL,
     word text NOT NULL,
     PRIMARY KEY (index_number, key, word))`,
];

const REMOVE_POSTGRES_INDEX = `DROP TABLE search_spellings, search_words, search_languages,
  search_blocks, search_chunks, search_indexes`;

export class CreateSearchIndex1763600000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const postgres = isPostgres(queryRunner.dataSource);
    const statements = [...chunkVectors(postgres), ...(postgres ? POSTGRES_INDEX : [])];
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** @throws Error while there are knowledge bases */
  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.query('DROP TABLE chunk_vectors');
    if (isPostgres(queryRunner.dataSource)) await queryRunner.query(REMOVE_POSTGRES_INDEX);
  }
}
