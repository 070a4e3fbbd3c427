import type Database from 'better-sqlite3';
import { type Analysis, analyse, type PassageText } from '../analysis.js';
import type { DocumentVersion } from '../search-index.js';
import { keysOfWord } from '../spelling.js';
import { FORMAT } from './format.js';

/**
 * `passages` holds stems, separated by spaces, which is all that its tokenizer must know of. They
 * stay in it because FTS5 needs them to take a deleted passage out of its word statistics. `codes`
 * holds fingerprints. `words` and `spellings` lead from misspelt words to those that the index knows.
 */
const CREATE = `
  CREATE VIRTUAL TABLE IF NOT EXISTS passages USING fts5(title, heading, text, tokenize='ascii');
  CREATE TABLE IF NOT EXISTS codes (number INTEGER PRIMARY KEY, codes BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS words (
    id INTEGER PRIMARY KEY, stem TEXT NOT NULL, word TEXT NOT NULL, UNIQUE (stem, word));
  CREATE TABLE IF NOT EXISTS spellings (
    key TEXT NOT NULL, word INTEGER NOT NULL, PRIMARY KEY (key, word)) WITHOUT ROWID`;

const DROP = ['passages', 'codes', 'words', 'spellings']
  .map((table) => `DROP TABLE IF EXISTS ${table};`)
  .join('');

/** Chunks in one transaction, so that nothing waits long for its turn. */
const BATCH = 100;

const MISSING = `
  SELECT c.number, c.position, d.title, c.heading, c.text
  FROM live.chunks c JOIN live.documents d ON d.id = c.document_id AND d.state = 'active'
  WHERE c.number NOT IN (SELECT number FROM codes)`;
const MISSING_OF_DOCUMENT = `${MISSING}
  AND c.document_id = ? AND c.version = ? AND c.position > ? ORDER BY c.position LIMIT ${BATCH}`;
const MISSING_OF_ALL = `${MISSING}
  AND c.kb_id = ? AND c.number > ? ORDER BY c.number LIMIT ${BATCH}`;

const STALE = `
  SELECT number FROM codes WHERE number > ?
  AND NOT EXISTS (SELECT 1 FROM live.chunks c WHERE c.number = codes.number AND c.kb_id = ?)
  ORDER BY number LIMIT ${BATCH}`;

type Missing = PassageText & { readonly position: number };

/** Quoted, a term is a word and never an operator. */
export const matchAny = (terms: readonly string[]): string =>
  terms.map((term) => `"${term}"`).join(' OR ');

export interface AddRequest {
  readonly kbId: string;
  readonly versions: readonly DocumentVersion[];
  /** The position of the last chunk of the first one that was looked at; -1 at first. */
  readonly after: number;
}

/**
 * Takes in the next chunks that versions of active documents have.
 *
 * @returns what is left to do
 */
export function addSome(
  index: Database.Database,
  { kbId, versions, after }: AddRequest,
): AddRequest | undefined {
  const read = index.prepare<[string, number, number], Missing>(MISSING_OF_DOCUMENT);
  const writer = new IndexWriter(index);
  let from = after;
  let added = 0;
  for (const [done, { documentId, version }] of versions.entries()) {
    const missing = read.all(documentId, version, from);
    writer.add(missing);
    added += missing.length;
    const last = missing.length < BATCH ? undefined : missing.at(-1)?.position;
    if (last !== undefined) return { kbId, versions: versions.slice(done), after: last };
    if (added >= BATCH) return { kbId, versions: versions.slice(done + 1), after: -1 };
    from = -1;
  }
  return undefined;
}

/** Forgets those of the passages that it has. */
export function remove(index: Database.Database, numbers: number[]): void {
  new IndexWriter(index).remove(numbers);
}

export interface RepairRequest {
  readonly kbId: string;
  /** The number of the last chunk that was looked at. */
  readonly after: number;
}

/**
 * Makes the next part of an index equal to the chunks that active documents have.
 *
 * @returns where to go on; undefined when all is done
 */
export function repairSome(
  index: Database.Database,
  { kbId, after }: RepairRequest,
): number | undefined {
  let from = after;
  const format = Math.abs(Number(index.pragma('user_version', { simple: true })));
  if (format !== FORMAT) {
    index.exec(DROP);
    index.exec(CREATE);
    index.pragma(`user_version = ${-FORMAT}`);
    from = 0;
  }
  const stale = index.prepare<[number, string], number>(STALE).pluck().all(from, kbId);
  const missing = index.prepare<[string, number], Missing>(MISSING_OF_ALL).all(kbId, from);
  // Where there may be more of either, as far as both are known.
  const end = Math.min(
    stale.length === BATCH ? Number(stale.at(-1)) : Infinity,
    missing.length === BATCH ? Number(missing.at(-1)?.number) : Infinity,
  );
  const writer = new IndexWriter(index);
  writer.remove(stale.filter((number) => number <= end));
  writer.add(missing.filter(({ number }) => number <= end));
  if (end < Infinity) return end;
  index.pragma(`user_version = ${FORMAT}`);
  return undefined;
}

class IndexWriter {
  private readonly insertPassage;
  private readonly insertFingerprint;
  private readonly insertWord;
  private readonly insertSpelling;

  constructor(private readonly index: Database.Database) {
    this.insertPassage = index.prepare<[number, string, string, string]>(
      'INSERT INTO passages (rowid, title, heading, text) VALUES (?, ?, ?, ?)',
    );
    this.insertFingerprint = index.prepare<[number, Uint8Array]>('INSERT INTO codes VALUES (?, ?)');
    this.insertWord = index.prepare<[string, string]>(
      'INSERT OR IGNORE INTO words (stem, word) VALUES (?, ?)',
    );
    this.insertSpelling = index.prepare<[string, number | bigint]>(
      'INSERT INTO spellings VALUES (?, ?)',
    );
  }

  add(passages: readonly PassageText[]): void {
    for (const passage of passages) this.addOne(analyse(passage));
  }

  private addOne({ number, title, heading, text, fingerprint, spellings }: Analysis): void {
    this.insertPassage.run(number, title, heading, text);
    this.insertFingerprint.run(number, fingerprint);
    for (const [word, stem] of spellings) {
      const { changes, lastInsertRowid } = this.insertWord.run(stem, word);
      if (changes === 0) continue;
      for (const key of keysOfWord(word)) this.insertSpelling.run(key, lastInsertRowid);
    }
  }

  remove(numbers: number[]): void {
    const { index } = this;
    const stems = new Set<string>();
    const read = index
      .prepare<[number], string>(
        `SELECT title || ' ' || heading || ' ' || text FROM passages WHERE rowid = ?`,
      )
      .pluck();
    const removePassage = index.prepare<[number]>('DELETE FROM passages WHERE rowid = ?');
    const removeFingerprint = index.prepare<[number]>('DELETE FROM codes WHERE number = ?');
    for (const number of numbers) {
      for (const stem of read.get(number)?.split(' ') ?? []) stems.add(stem);
      removePassage.run(number);
      removeFingerprint.run(number);
    }
    this.forgetWords(stems);
  }

  /** Words that no passage has any more are nothing to correct to. */
  private forgetWords(stems: Set<string>): void {
    const { index } = this;
    const has = index.prepare<[string]>('SELECT 1 FROM passages WHERE passages MATCH ? LIMIT 1');
    const wordsOf = index.prepare<[string], { id: number; word: string }>(
      'SELECT id, word FROM words WHERE stem = ?',
    );
    const removeSpelling = index.prepare<[string, number]>(
      'DELETE FROM spellings WHERE key = ? AND word = ?',
    );
    const removeWord = index.prepare<[number]>('DELETE FROM words WHERE id = ?');
    for (const stem of stems) {
      if (stem === '' || has.get(matchAny([stem]))) continue;
      for (const { id, word } of wordsOf.all(stem)) {
        for (const key of keysOfWord(word)) removeSpelling.run(key, id);
        removeWord.run(id);
      }
    }
  }
}
