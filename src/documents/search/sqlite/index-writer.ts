import type Database from 'better-sqlite3';
import type { AnalysedPassage } from '@latchkey/ranking/analyse-passage';
import {
  addToBlocks,
  type BlockChange,
  countOf,
  type PostingBlock,
  postingsByTerm,
  removeFromBlocks,
} from '@latchkey/ranking/posting-block';
import { keysOfWord } from '@latchkey/ranking/spelling';

type StoredBlock = PostingBlock & { readonly id: number };

/** Writes passages, and the words that misspelt ones are corrected to, into an index. */
export class IndexWriter {
  private readonly newestBlock;
  private readonly blocksOf;
  private readonly insertBlock;
  private readonly updateBlock;
  private readonly deleteBlock;
  private readonly insertFingerprint;
  private readonly insertEntry;
  private readonly countLanguage;
  private readonly insertWord;
  private readonly insertSpelling;

  constructor(private readonly index: Database.Database) {
    this.newestBlock = index.prepare<[string], StoredBlock>(
      'SELECT id, first, block AS bytes FROM postings WHERE term = ? ORDER BY first DESC LIMIT 1',
    );
    this.blocksOf = index.prepare<[string, number, string, number, number], StoredBlock>(
      `SELECT id, first, block AS bytes FROM postings
       WHERE term = ? AND first <= ? AND first >= COALESCE((
         SELECT max(first) FROM postings WHERE term = ? AND first <= ?), ?)
       ORDER BY first`,
    );
    this.insertBlock = index.prepare<[string, number, number, Uint8Array]>(
      'INSERT INTO postings (term, first, count, block) VALUES (?, ?, ?, ?)',
    );
    this.updateBlock = index.prepare<[number, number, Uint8Array, number]>(
      'UPDATE postings SET first = ?, count = ?, block = ? WHERE id = ?',
    );
    this.deleteBlock = index.prepare<[number]>('DELETE FROM postings WHERE id = ?');
    this.insertFingerprint = index.prepare<[number, Uint8Array]>(
      'INSERT OR REPLACE INTO codes VALUES (?, ?)',
    );
    this.insertEntry = index.prepare<[number, string | null, number, string]>(
      'INSERT INTO entries VALUES (?, ?, ?, ?)',
    );
    this.countLanguage = index.prepare<[string, number, number]>(
      `INSERT INTO languages VALUES (?, ?, ?) ON CONFLICT (language) DO UPDATE
       SET passages = passages + excluded.passages, tokens = tokens + excluded.tokens`,
    );
    this.insertWord = index.prepare<[string, string]>(
      'INSERT OR IGNORE INTO words (stem, word) VALUES (?, ?)',
    );
    this.insertSpelling = index.prepare<[string, number | bigint]>(
      'INSERT INTO spellings VALUES (?, ?)',
    );
  }

  add(analysed: readonly AnalysedPassage[]): void {
    for (const passage of analysed) this.insert(passage);
    this.addWords(analysed);
    for (const [term, postings] of postingsByTerm(analysed)) {
      const [first, last] = [postings.at(0)?.number ?? 0, postings.at(-1)?.number ?? 0];
      const newest = this.newestBlock.get(term);
      // Nearly all passages are newer than those that the index has.
      const blocks =
        newest && newest.first > first
          ? this.blocksOf.all(term, last, term, first, first)
          : newest
            ? [newest]
            : [];
      this.apply(term, addToBlocks(blocks, postings));
    }
  }

  private insert({ number, language, tokens, terms, fingerprint }: AnalysedPassage): void {
    this.insertFingerprint.run(number, fingerprint);
    this.insertEntry.run(number, language, tokens, terms.join(' '));
    this.countLanguage.run(language ?? '', 1, tokens);
  }

  /** Each word once: most of them stand in many of the passages. */
  private addWords(passages: readonly AnalysedPassage[]): void {
    const pairs = passages.flatMap(({ spellings }) => spellings);
    const words = new Map(pairs.map((pair) => [pair.join(' '), pair]));
    for (const [word, stem] of words.values()) {
      const { changes, lastInsertRowid } = this.insertWord.run(stem, word);
      if (changes === 0) continue;
      for (const key of keysOfWord(word)) this.insertSpelling.run(key, lastInsertRowid);
    }
  }

  private apply(term: string, changes: readonly BlockChange<StoredBlock>[]): void {
    for (const { old, replacement } of changes) {
      const [first, ...more] = old ? replacement : [undefined, ...replacement];
      if (old && first) {
        this.updateBlock.run(first.first, countOf(first.bytes), first.bytes, old.id);
      } else if (old) {
        this.deleteBlock.run(old.id);
      }
      for (const one of more) {
        if (one) this.insertBlock.run(term, one.first, countOf(one.bytes), one.bytes);
      }
    }
  }

  remove(numbers: number[]): void {
    const { index } = this;
    const removed = new Map<string, Set<number>>();
    const read = index.prepare<
      [number],
      { language: string | null; tokens: number; terms: string }
    >('SELECT language, tokens, terms FROM entries WHERE number = ?');
    const removeEntry = index.prepare<[number]>('DELETE FROM entries WHERE number = ?');
    const removeFingerprint = index.prepare<[number]>('DELETE FROM codes WHERE number = ?');
    for (const number of numbers) {
      const entry = read.get(number);
      removeFingerprint.run(number);
      if (!entry) continue;
      removeEntry.run(number);
      this.countLanguage.run(entry.language ?? '', -1, -entry.tokens);
      for (const term of entry.terms.split(' ')) {
        removed.set(term, (removed.get(term) ?? new Set<number>()).add(number));
      }
    }
    for (const [term, some] of removed) {
      const [first, last] = [Math.min(...some), Math.max(...some)];
      const blocks = this.blocksOf.all(term, last, term, first, first);
      this.apply(term, removeFromBlocks(blocks, some));
    }
    this.removeUnusedWords([...removed.keys()]);
  }

  /** A misspelt word must not be corrected to a word that no passage has any more. */
  private removeUnusedWords(stems: readonly string[]): void {
    const { index } = this;
    const has = index.prepare<[string]>('SELECT 1 FROM postings WHERE term = ? LIMIT 1');
    const wordsOf = index.prepare<[string], { id: number; word: string }>(
      'SELECT id, word FROM words WHERE stem = ?',
    );
    const removeSpelling = index.prepare<[string, number]>(
      'DELETE FROM spellings WHERE key = ? AND word = ?',
    );
    const removeWord = index.prepare<[number]>('DELETE FROM words WHERE id = ?');
    for (const stem of stems) {
      if (stem === '' || has.get(stem)) continue;
      for (const { id, word } of wordsOf.all(stem)) {
        for (const key of keysOfWord(word)) removeSpelling.run(key, id);
        removeWord.run(id);
      }
    }
  }
}
