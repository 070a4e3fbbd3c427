import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres } from '../dialect.js';
import { requireEmpty } from './require-empty.js';

/** By version, since the passages of the next version may have vectors before it is searchable. */
const TABLE = `
  CREATE TABLE document_vectors (
    document_id varchar NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    version integer NOT NULL,
    model varchar NOT NULL,
    vectors integer NOT NULL,
    PRIMARY KEY (document_id, version, model))`;

const COUNT_ADDED = `
  INSERT INTO document_vectors (document_id, version, model, vectors)
  SELECT p.document_id, p.version, NEW.model, 1 FROM passages p WHERE p.number = NEW.passage_number
  ON CONFLICT (document_id, version, model)
  DO UPDATE SET vectors = document_vectors.vectors + 1;`;
/** Finds nothing if the passage was removed, whose row FORGET then removes. */
const COUNT_REMOVED = `
  UPDATE document_vectors SET vectors = vectors - 1
  WHERE model = OLD.model AND (document_id, version) = (
    SELECT p.document_id, p.version FROM passages p WHERE p.number = OLD.passage_number);`;
/** Passages are removed once their version is not searchable any more. */
const FORGET = `
  DELETE FROM document_vectors WHERE document_id = OLD.document_id AND version = OLD.version;`;

const ON_SQLITE = [
  `CREATE TRIGGER document_vectors_added AFTER INSERT ON passage_vectors
   BEGIN ${COUNT_ADDED} END`,
  `CREATE TRIGGER document_vectors_removed AFTER DELETE ON passage_vectors
   BEGIN ${COUNT_REMOVED} END`,
  `CREATE TRIGGER document_vectors_forgotten AFTER DELETE ON passages BEGIN ${FORGET} END`,
];

/** At the commit, as the counts of knowledge bases, when all passages are locked already. */
const ON_POSTGRES = [
  `CREATE FUNCTION count_document_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'INSERT' THEN ${COUNT_ADDED} ELSE ${COUNT_REMOVED} END IF;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION forget_document_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN ${FORGET} RETURN NULL; END $$`,
  `CREATE CONSTRAINT TRIGGER document_vectors_counted AFTER INSERT OR DELETE ON passage_vectors
   DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_document_vectors()`,
  `CREATE CONSTRAINT TRIGGER document_vectors_forgotten AFTER DELETE ON passages
   DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION forget_document_vectors()`,
];

/** Waits for other writers, and locks them out, in the order in which these lock the tables. */
const LOCK = 'LOCK TABLE documents, passages, passage_vectors IN SHARE ROW EXCLUSIVE MODE';

/** Existing vectors are counted once other writers are locked out. */
const FILL = `
  INSERT INTO document_vectors (document_id, version, model, vectors)
  SELECT p.document_id, p.version, v.model, count(*)
  FROM passage_vectors v JOIN passages p ON p.number = v.passage_number
  GROUP BY p.document_id, p.version, v.model`;

/**
 * Counts the vectors of each document, because counting them for a list takes the longer the more
 * there are. Sentences get vectors when a question needs them, so no index finds those without.
 */
export class DocumentVectors1764400000057 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const statements = isPostgres(queryRunner.dataSource)
      ? [LOCK, TABLE, ...ON_POSTGRES]
      : [TABLE, ...ON_SQLITE];
    for (const statement of [...statements, FILL]) await queryRunner.query(statement);
  }

  /** @throws Error while there are knowledge bases */
  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    const postgres = isPostgres(queryRunner.dataSource);
    for (const name of postgres ? ['counted'] : ['added', 'removed']) {
      const table = postgres ? ' ON passage_vectors' : '';
      await queryRunner.query(`DROP TRIGGER document_vectors_${name}${table}`);
    }
    await queryRunner.query(
      `DROP TRIGGER document_vectors_forgotten${postgres ? ' ON passages' : ''}`,
    );
    if (postgres) {
      await queryRunner.query('DROP FUNCTION count_document_vectors');
      await queryRunner.query('DROP FUNCTION forget_document_vectors');
    }
    await queryRunner.query('DROP TABLE document_vectors');
  }
}
