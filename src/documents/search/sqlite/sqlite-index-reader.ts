import type Database from 'better-sqlite3';
import { parseJson } from '@latchkey/text/parse-json';
import { type Fingerprint, readFingerprint } from '@latchkey/ranking/fingerprint';
import {
  type IndexReader,
  type IndexStatistics,
  type LanguageRow,
  type LoadedPassage,
  toStatistics,
} from '@latchkey/ranking/index-reader';
import type { Filter } from '@latchkey/ranking/metadata-filter';
import { type PostingBlock, type PostingList, readBlocks } from '@latchkey/ranking/posting-block';
import { SearchDeadline } from '@latchkey/ranking/search-deadline';
import type { SimilarWord, SimilarWordLimits } from '@latchkey/ranking/spelling';
import type { CodeIndex } from '@latchkey/embeddings/code-index';
import { CODE_ROWS, CodeIndexCache, type CodeRow } from '@latchkey/embeddings/code-index-cache';
import type { StoredWindows } from '@latchkey/embeddings/window-vectors';
import { type Condition, metadataCondition } from './metadata-condition.js';
import * as statements from './statements.js';

/** SQLite has JSON as text. */
type PassageRow = Omit<LoadedPassage, 'metadata' | 'locator'> & {
  readonly metadata: string;
  readonly locator: string | null;
};
type Parameters = Record<string, string | number>;
type WindowRow = Omit<StoredWindows, 'codes'> & { readonly number: number };

/** Of the thread, for all knowledge bases. */
const codeIndexes = new CodeIndexCache();
const NO_FILTER: Condition = { sql: 'TRUE', parameters: {} };

/** Reads one index. Keeps the statements prepared for all searches. */
export class SqliteIndexReader implements IndexReader {
  private deadline = new SearchDeadline(0, () => false);
  private readonly languages;
  private readonly frequency;
  private readonly blocks;
  private readonly fingerprint;
  private readonly documentCount;
  private readonly passage;
  private readonly similar;
  private readonly visibleAmong;
  private readonly codeRows;
  private readonly windowRows;

  constructor(
    private readonly index: Database.Database,
    private readonly kbId: string,
  ) {
    // better-sqlite3 cannot interrupt a statement, but an error thrown by a function ends it.
    index.function('check_deadline', () => {
      this.deadline.check();
      return 1;
    });
    this.languages = index.prepare<[], LanguageRow>(statements.LANGUAGES);
    this.frequency = index.prepare<[string], number | null>(statements.FREQUENCY).pluck();
    this.blocks = index.prepare<[string], PostingBlock>(statements.POSTINGS);
    this.fingerprint = index.prepare<[number], Uint8Array>(statements.FINGERPRINT).pluck();
    this.documentCount = index
      .prepare<[string, number], number>(statements.COUNT_DOCUMENTS)
      .pluck();
    this.passage = index.prepare<[number], PassageRow>(statements.PASSAGE);
    this.similar = index.prepare<[string, number, number], SimilarWord>(
      statements.SIMILAR_WORDS_BY_KEYS,
    );
    this.visibleAmong = index
      .prepare<[Parameters], number>(statements.visible(NO_FILTER.sql))
      .pluck();
    this.codeRows = index.prepare<[Parameters], CodeRow>(statements.CODES);
    this.windowRows = index.prepare<[Parameters], WindowRow>(statements.WINDOWS);
  }

  /** Must be called before each search. */
  begin(deadline: SearchDeadline): void {
    this.deadline = deadline;
  }

  statistics(): IndexStatistics {
    this.deadline.check();
    return toStatistics(this.languages.all());
  }

  statisticsOf(filter: Filter): IndexStatistics {
    const { sql, parameters } = metadataCondition(filter);
    const statement = this.index.prepare<[Parameters], LanguageRow>(statements.languagesOf(sql));
    return toStatistics(statement.all({ ...parameters, kbId: this.kbId }));
  }

  frequencies(stems: readonly string[]): Map<string, number> {
    return new Map(stems.map((stem) => [stem, this.frequency.get(stem) ?? 0]));
  }

  postings(stems: readonly string[]): PostingList[] {
    return stems.map((stem) => readBlocks(this.blocks.all(stem)));
  }

  fingerprints(numbers: readonly number[]): Map<number, Fingerprint> {
    this.deadline.check();
    const found = new Map<number, Fingerprint>();
    for (const number of numbers) {
      const fingerprint = readFingerprint(this.fingerprint.get(number) ?? null);
      if (fingerprint) found.set(number, fingerprint);
    }
    return found;
  }

  similarWords(keys: readonly string[], { minShared, limit }: SimilarWordLimits): SimilarWord[] {
    return this.similar.all(JSON.stringify(keys), minShared, limit);
  }

  hasWord(): boolean {
    return true;
  }

  hasFewerDocuments(count: number): boolean {
    return (this.documentCount.get(this.kbId, count) ?? 0) < count;
  }

  visible(numbers: readonly number[], filter: Filter | undefined): Set<number> {
    const { sql, parameters } = filter ? metadataCondition(filter) : NO_FILTER;
    const statement = filter
      ? this.index.prepare<[Parameters], number>(statements.visible(sql)).pluck()
      : this.visibleAmong;
    return new Set(statement.all({ ...parameters, numbers: JSON.stringify(numbers) }));
  }

  matching(filter: Filter): Set<number> {
    const { sql, parameters } = metadataCondition(filter);
    const statement = this.index.prepare<[Parameters], number>(statements.matching(sql)).pluck();
    return new Set(statement.all({ ...parameters, kbId: this.kbId }));
  }

  codes(model: string): Promise<CodeIndex> {
    const { kbId } = this;
    return codeIndexes.get(`${kbId} ${model}`, (after) =>
      this.codeRows.all({ kbId, model, after, limit: CODE_ROWS }),
    );
  }

  forgetCodes(model: string): void {
    codeIndexes.forget(`${this.kbId} ${model}`);
  }

  windows(model: string, numbers: readonly number[]): Map<number, WindowRow> {
    const rows = this.windowRows.all({ model, numbers: JSON.stringify(numbers) });
    return new Map(rows.map((row) => [row.number, row]));
  }

  load(numbers: readonly number[]): LoadedPassage[] {
    // One snapshot: of a document that is replaced meanwhile, either the old passages or the new ones.
    const load = this.index.transaction(() =>
      numbers.flatMap((number) => {
        const row = this.passage.get(number);
        if (!row) return [];
        return {
          ...row,
          metadata: parseJson(row.metadata) as LoadedPassage['metadata'],
          locator: parseJson(row.locator ?? 'null') as LoadedPassage['locator'],
        };
      }),
    );
    return load();
  }
}
