import type Database from 'better-sqlite3';
import { type AnalysedPassage, analysePassage, type PassageText } from '../analyse-passage.js';
import { keysOfWord } from '../spelling.js';
import { matchAny } from './match-any.js';

/** Writes passages, and the words that misspelt ones are corrected to, into an index. */
export class IndexWriter {
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
    for (const passage of passages) this.insert(analysePassage(passage));
  }

  private insert({ number, title, heading, text, fingerprint, spellings }: AnalysedPassage): void {
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
    this.removeUnusedWords(stems);
  }

  /** A misspelt word must not be corrected to a word that no passage has any more. */
  private removeUnusedWords(stems: Set<string>): void {
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
