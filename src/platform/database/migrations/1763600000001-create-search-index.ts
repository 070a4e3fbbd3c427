import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres } from '../dialect.js';
import { requireEmpty } from './require-empty.js';

/**
 * The vectors of the windows of each passage, as packages/embeddings stores them. What has a higher
 * `serial` was stored later, so that readers keep the codes and read only new ones. Those of its
 * sentences are made behind the windows of all passages.
 */
const passageVectors = (postgres: boolean) => {
  const bytes = postgres ? 'bytea' : 'blob';
  return [
    `CREATE TABLE passage_vectors (
       serial ${postgres ? 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY' : 'integer PRIMARY KEY AUTOINCREMENT'},
       passage_number ${postgres ? 'bigint' : 'integer'} NOT NULL UNIQUE
         REFERENCES passages (number) ON DELETE CASCADE,
       kb_id varchar NOT NULL,
       model varchar NOT NULL,
       windows integer NOT NULL,
       codes ${bytes} NOT NULL,
       places ${bytes} NOT NULL,
       vectors ${bytes} NOT NULL,
       sentence_places ${bytes},
       sentence_vectors ${bytes})`,
    // With the codes, which SQLite would otherwise read amid vectors of twenty times their size. PostgreSQL
    // keeps the longest vectors elsewhere, and has no room for long codes in an index.
    `CREATE INDEX passage_vectors_by_kb
       ON passage_vectors (kb_id, model, serial${postgres ? '' : ', passage_number, windows, codes'})`,
    `CREATE INDEX passage_vectors_without_sentences ON passage_vectors (model, kb_id)
       WHERE sentence_vectors IS NULL`,
    // They do not become smaller, and are read more often than written.
    ...(postgres ? ['vectors', 'sentence_vectors'].map(storedAsTheyAre) : []),
    `CREATE TABLE vector_counts (
       kb_id varchar NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
       model varchar NOT NULL,
       vectors ${postgres ? 'bigint' : 'integer'} NOT NULL,
       in_engine boolean NOT NULL DEFAULT false,
       PRIMARY KEY (kb_id, model))`,
    ...(postgres ? COUNTED_ON_POSTGRES : COUNTED_ON_SQLITE),
  ];
};

const storedAsTheyAre = (column: string) =>
  `ALTER TABLE passage_vectors ALTER COLUMN ${column} SET STORAGE EXTERNAL`;

/**
 * How many passages of a knowledge base have vectors of a model, and whether a search engine has all of
 * them: counting them takes the longer the more there are. By triggers, since most vectors are removed by the foreign key of their passage.
 */
const COUNT_ADDED = `
  INSERT INTO vector_counts (kb_id, model, vectors) VALUES (NEW.kb_id, NEW.model, 1)
  ON CONFLICT (kb_id, model) DO UPDATE SET vectors = vector_counts.vectors + 1;`;
const COUNT_REMOVED = `
  UPDATE vector_counts SET vectors = vectors - 1 WHERE kb_id = OLD.kb_id AND model = OLD.model;`;

const COUNTED_ON_SQLITE = [
  `CREATE TRIGGER passage_vectors_added AFTER INSERT ON passage_vectors BEGIN ${COUNT_ADDED} END`,
  `CREATE TRIGGER passage_vectors_removed AFTER DELETE ON passage_vectors BEGIN ${COUNT_REMOVED} END`,
];

const COUNTED_ON_POSTGRES = [
  `CREATE FUNCTION count_passage_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'INSERT' THEN ${COUNT_ADDED} ELSE ${COUNT_REMOVED} END IF;
     RETURN NULL;
   END $$`,
  // At the commit, when all passages are locked already, so that two transactions cannot deadlock.
  `CREATE CONSTRAINT TRIGGER passage_vectors_counted AFTER INSERT OR DELETE ON passage_vectors
   DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_passage_vectors()`,
];

/** The full-text index of PostgreSQL (see PostgresSearchIndex); SQLite has its own in files. */
const POSTGRES_INDEX = [
  `CREATE TABLE search_indexes (
     kb_id varchar PRIMARY KEY REFERENCES knowledge_bases (id) ON DELETE CASCADE,
     number integer GENERATED ALWAYS AS IDENTITY)`,
  `CREATE TABLE search_passages (
     passage_number bigint PRIMARY KEY,
     index_number integer NOT NULL,
     tokens integer NOT NULL,
     terms text NOT NULL,
     codes bytea NOT NULL,
     language varchar)`,
  `CREATE INDEX search_passages_by_index ON search_passages (index_number)`,
  // The free space keeps updates of a block on its page, where no index has to be written.
  `CREATE TABLE search_blocks (
     index_number integer NOT NULL,
     term text NOT NULL,
     first bigint NOT NULL,
     postings integer NOT NULL,
     block bytea NOT NULL,
     PRIMARY KEY (index_number, term, first)) WITH (fillfactor = 70)`,
  // Not within CREATE TABLE, which takes it from PostgreSQL 16 on.
  `ALTER TABLE search_blocks ALTER COLUMN block SET STORAGE PLAIN`,
  `CREATE TABLE search_languages (
     index_number integer NOT NULL,
     language varchar NOT NULL,
     passages bigint NOT NULL,
     tokens bigint NOT NULL,
     PRIMARY KEY (index_number, language))`,
  `CREATE TABLE search_changes (
     index_number integer NOT NULL,
     serial bigint NOT NULL,
     added text NOT NULL,
     removed text NOT NULL,
     PRIMARY KEY (index_number, serial))`,
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

const REMOVE_POSTGRES_INDEX = `DROP TABLE search_spellings, search_words, search_changes, search_languages,
  search_blocks, search_passages, search_indexes`;

export class CreateSearchIndex1763600000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const postgres = isPostgres(queryRunner.dataSource);
    const statements = [...passageVectors(postgres), ...(postgres ? POSTGRES_INDEX : [])];
    for (const statement of statements) await queryRunner.query(statement);
  }

  /** @throws Error while there are knowledge bases */
  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.query('DROP TABLE passage_vectors');
    await queryRunner.query('DROP TABLE vector_counts');
    if (!isPostgres(queryRunner.dataSource)) return;
    await queryRunner.query('DROP FUNCTION count_passage_vectors');
    await queryRunner.query(REMOVE_POSTGRES_INDEX);
  }
}
