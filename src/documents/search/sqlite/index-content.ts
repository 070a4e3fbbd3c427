import type Database from 'better-sqlite3';
import {
  analyseEach,
  analysePassage,
  type FailedPassage,
  type PassageText,
} from '@latchkey/ranking/analyse-passage';
import type { DocumentVersion } from '@latchkey/ranking/search-index';
import { readState, writeState } from './index-format.js';
import { IndexWriter } from './index-writer.js';

/**
 * `postings` holds blocks of postings (see posting-block.ts); its index also tells how many passages
 * have a term. `codes` holds fingerprints. `entries` holds what is needed to remove a passage, and
 * `languages` its sums. `words` and `spellings` find indexed words by their spelling keys.
 */
const CREATE = `
  CREATE TABLE postings (
    id INTEGER PRIMARY KEY, term TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
    block BLOB NOT NULL);
  CREATE INDEX postings_by_term ON postings (term, first, count);
  CREATE TABLE codes (number INTEGER PRIMARY KEY, codes BLOB NOT NULL);
  CREATE TABLE entries (
    number INTEGER PRIMARY KEY, language TEXT, tokens INTEGER NOT NULL, terms TEXT NOT NULL);
  CREATE TABLE languages (
    language TEXT PRIMARY KEY, passages INTEGER NOT NULL, tokens INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE words (
    id INTEGER PRIMARY KEY, stem TEXT NOT NULL, word TEXT NOT NULL, UNIQUE (stem, word));
  CREATE TABLE spellings (
    key TEXT NOT NULL, word INTEGER NOT NULL, PRIMARY KEY (key, word)) WITHOUT ROWID`;

const TABLES = ['postings', 'entries', 'languages', 'words', 'spellings', 'codes'];
const DROP = TABLES.map((table) => `DROP TABLE IF EXISTS ${table};`).join('');

/**
 * Chunks that one transaction adds, for which other writes wait up to 0.3 s. A term of several chunks
 * is written once: with 100 instead of 500, indexing a long document took 1.5 times as long.
 */
const BATCH = 500;
/** Chunks that one transaction of a repair adds, and as many that it removes. */
const REPAIR_BATCH = 250;

const MISSING = `
  SELECT c.number, c.position, d.title, d.language, c.heading, c.text
  FROM live.chunks c JOIN live.documents d ON d.id = c.document_id AND d.state = 'active'
  WHERE c.number NOT IN (SELECT number FROM entries)`;
const MISSING_OF_DOCUMENT = `${MISSING}
  AND c.document_id = ? AND c.version = ? AND c.position > ? ORDER BY c.position LIMIT ?`;
const MISSING_OF_ALL = `${MISSING}
  AND c.kb_id = ? AND c.number > ? ORDER BY c.number LIMIT ${REPAIR_BATCH}`;

const STALE = `
  SELECT number FROM entries WHERE number > ?
  AND NOT EXISTS (SELECT 1 FROM live.chunks c WHERE c.number = entries.number AND c.kb_id = ?)
  ORDER BY number LIMIT ${REPAIR_BATCH}`;

type MissingPassage = PassageText & { readonly position: number };

export interface AddRequest {
  readonly kbId: string;
  readonly versions: readonly DocumentVersion[];
  /** The position of the last chunk added of the first version; -1 when none was. */
  readonly after: number;
}

/**
 * Adds the next batch of missing chunks of the given versions, if their documents are active.
 *
 * @returns the rest of the request; undefined when everything is added
 */
export function addSome(
  index: Database.Database,
  { kbId, versions, after }: AddRequest,
): AddRequest | undefined {
  const read = index.prepare<[string, number, number, number], MissingPassage>(MISSING_OF_DOCUMENT);
  const writer = new IndexWriter(index);
  let from = after;
  let added = 0;
  for (const [done, { documentId, version, language }] of versions.entries()) {
    const limit = BATCH - added;
    const missing = read
      .all(documentId, version, from, limit)
      .map((passage) => (language === undefined ? passage : { ...passage, language }));
    writer.add(missing.map(analysePassage));
    added += missing.length;
    const last = missing.length < limit ? undefined : missing.at(-1)?.position;
    if (last !== undefined) return { kbId, versions: versions.slice(done), after: last };
    from = -1;
  }
  return undefined;
}

/** Removes passages; ignores those that the index does not have. */
export function removePassages(index: Database.Database, numbers: number[]): void {
  new IndexWriter(index).remove(numbers);
}

export interface RepairRequest {
  readonly kbId: string;
  /** The number of the last chunk repaired; 0 when none was. */
  readonly after: number;
}

export interface Repaired {
  /** The next `after`; undefined when the index is complete. */
  readonly next: number | undefined;
  /** Passages that stay missing. */
  readonly failed: readonly FailedPassage[];
}

/** Repairs the next part of an index: removes stale passages and adds missing ones. */
export function repairSome(index: Database.Database, { kbId, after }: RepairRequest): Repaired {
  let from = after;
  if (readState(index) === 'outdated') {
    index.exec(DROP);
    index.exec(CREATE);
    writeState(index, 'rebuilding');
    from = 0;
  }
  const stale = index.prepare<[number, string], number>(STALE).pluck().all(from, kbId);
  const missing = index.prepare<[string, number], MissingPassage>(MISSING_OF_ALL).all(kbId, from);
  // Beyond the end of a full batch nothing is known, so this part ends where the first one ends.
  const end = Math.min(
    stale.length === REPAIR_BATCH ? Number(stale.at(-1)) : Infinity,
    missing.length === REPAIR_BATCH ? Number(missing.at(-1)?.number) : Infinity,
  );
  const writer = new IndexWriter(index);
  writer.remove(stale.filter((number) => number <= end));
  const { analysed, failed } = analyseEach(missing.filter(({ number }) => number <= end));
  writer.add(analysed);
  if (end < Infinity) return { next: end, failed };
  writeState(index, 'complete');
  return { next: undefined, failed };
}
