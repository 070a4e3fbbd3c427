import type Database from 'better-sqlite3';
import {
  analyseEach,
  type FailedPassage,
  type PassageText,
} from '@latchkey/ranking/analyse-passage';
import { IndexWriter } from '../index-writer.js';
import type { SearchEngine } from '../engine/search-engine.js';
import { readState, writeState } from './index-format.js';
import { getStore } from './sqlite-index-store.js';

/**
 * `search_blocks` holds blocks of postings (see posting-block.ts); its index also tells how many
 * passages have a term. `search_passages` holds fingerprints, and what is needed to remove a
 * passage, `search_languages` its sums, and `search_changes` what was added and removed last. The
 * other two find indexed words by their spelling keys.
 */
const CREATE = `
  CREATE TABLE search_blocks (
    term TEXT NOT NULL, first INTEGER NOT NULL, postings INTEGER NOT NULL, block BLOB NOT NULL);
  CREATE INDEX search_blocks_by_term ON search_blocks (term, first, postings);
  CREATE TABLE search_passages (
    passage_number INTEGER PRIMARY KEY, tokens INTEGER NOT NULL, language TEXT, codes BLOB NOT NULL,
    terms TEXT NOT NULL);
  CREATE TABLE search_languages (
    language TEXT PRIMARY KEY, passages INTEGER NOT NULL, tokens INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE search_changes (
    serial INTEGER PRIMARY KEY, added TEXT NOT NULL, removed TEXT NOT NULL);
  CREATE TABLE search_words (
    term TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (term, word)) WITHOUT ROWID;
  CREATE INDEX search_words_by_word ON search_words (word);
  CREATE TABLE search_spellings (
    key TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (key, word)) WITHOUT ROWID`;

const TABLES = ['blocks', 'passages', 'languages', 'changes', 'words', 'spellings'];
const DROP = TABLES.map((table) => `DROP TABLE IF EXISTS search_${table};`).join('');

/** The number of passages that one transaction adds, and removes at most. */
const BATCH = 250;

const MISSING = `
  SELECT p.number, d.title, d.language, p.heading, p.text
  FROM live.passages p JOIN live.documents d ON d.id = p.document_id AND d.state = 'active'
  WHERE NOT EXISTS (SELECT 1 FROM search_passages s WHERE s.passage_number = p.number)
    AND p.kb_id = $1 AND p.number > $2 ORDER BY p.number LIMIT ${BATCH}`;

const STALE = `
  SELECT passage_number AS number FROM search_passages s WHERE passage_number > $2
    AND NOT EXISTS (SELECT 1 FROM live.passages p WHERE p.number = s.passage_number AND p.kb_id = $1)
  ORDER BY passage_number LIMIT ${BATCH}`;

export interface RepairRequest {
  readonly kbId: string;
  /** The number of the last passage repaired; 0 when none was. */
  readonly after: number;
}

export interface Repaired {
  /** The next `after`; undefined when the index is complete. */
  readonly next: number | undefined;
  /** Passages that could not be indexed. */
  readonly failed: readonly FailedPassage[];
}

/** Repairs the next part of an index: removes stale passages and adds missing ones. */
export async function repairSome(
  file: Database.Database,
  { kbId, after }: RepairRequest,
  engine: SearchEngine | undefined,
): Promise<Repaired> {
  let from = after;
  const store = getStore(file, kbId);
  const writer = new IndexWriter(store, engine !== undefined);
  const places = engine ? await writer.findPlaces() : [];
  if (readState(file) === 'outdated') {
    file.exec(DROP);
    file.exec(CREATE);
    writeState(file, 'rebuilding');
    from = 0;
    // After a database restore, another cluster may lack the index; all words are written now.
    if (places.includes('own')) await engine?.prepareOwnWords(kbId);
  }
  const stale = store.query<{ number: number }>(STALE, [kbId, from]);
  const missing = store.query<PassageText>(MISSING, [kbId, from]);
  // A full batch may not be the last, so this part ends where the first full batch ends.
  const ends = [stale, missing].map((rows) =>
    rows.length === BATCH ? (rows.at(-1)?.number ?? Infinity) : Infinity,
  );
  const end = Math.min(...ends);
  const gone = stale.map(({ number }) => number).filter((number) => number <= end);
  await writer.remove(gone);
  await engine?.remove(kbId, gone, places);
  const { analysed, failed } = analyseEach(missing.filter(({ number }) => number <= end));
  await engine?.put(kbId, analysed, places);
  await writer.add(analysed);
  if (end < Infinity) return { next: end, failed };
  writeState(file, 'complete');
  return { next: undefined, failed };
}
