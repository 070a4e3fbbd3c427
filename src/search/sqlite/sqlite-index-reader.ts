import type Database from 'better-sqlite3';
import { TOO_FREQUENT } from '../bounds.js';
import { readFingerprint } from '../fingerprint.js';
import type { IndexReader, LoadedPassage, NearestHit, SearchOptions } from '../index-reader.js';
import type { Filter } from '../metadata-filter.js';
import type { Hit } from '../rank.js';
import { SearchDeadline } from '../search-deadline.js';
import type { Term } from '../term-selection.js';
import { vectorBytes } from '../vector.js';
import { matchAny } from './match-any.js';
import { type Condition, metadataCondition } from './metadata-condition.js';
import * as statements from './statements.js';

/** SQLite has JSON as text. */
type PassageRow = Omit<LoadedPassage, 'metadata' | 'locator'> & {
  readonly metadata: string;
  readonly locator: string | null;
};
type HitRow = Pick<Hit, 'number' | 'score'> & { readonly fingerprint: Uint8Array | null };
type Parameters = Record<string, string | number | Buffer>;

const NO_FILTER: Condition = { sql: 'TRUE', parameters: {} };

/** Reads one index. Keeps the statements prepared for all searches. */
export class SqliteIndexReader implements IndexReader {
  readonly heavyPostings = 500_000;
  private deadline = new SearchDeadline(0, () => false);
  private readonly prepared = new Map<string, Database.Statement<[Parameters], HitRow>>();
  private readonly frequency;
  private readonly passageCount;
  private readonly documentCount;
  private readonly passage;
  private readonly similar;

  constructor(
    private readonly index: Database.Database,
    private readonly kbId: string,
  ) {
    // better-sqlite3 cannot interrupt a statement, but an error thrown by a function ends it.
    index.function('check_deadline', () => {
      this.deadline.check();
      return 1;
    });
    index.exec(statements.CREATE_VOCABULARY);
    this.frequency = index.prepare<[string], number>(statements.FREQUENCY).pluck();
    this.passageCount = index.prepare<[number], number>(statements.COUNT_PASSAGES).pluck();
    this.documentCount = index
      .prepare<[string, number], number>(statements.COUNT_DOCUMENTS)
      .pluck();
    this.passage = index.prepare<[number], PassageRow>(statements.PASSAGE);
    this.similar = index.prepare<[string], string>(statements.SIMILAR_WORDS_BY_KEYS).pluck();
  }

  /** Must be called before each search. */
  begin(deadline: SearchDeadline): void {
    this.deadline = deadline;
  }

  frequencies(stems: readonly string[]): Map<string, number> {
    const frequencies = new Map<string, number>();
    for (const stem of stems) {
      // At least half of the time is left to find passages by the terms counted so far.
      const frequency = this.deadline.isHalfOver ? TOO_FREQUENT : (this.frequency.get(stem) ?? 0);
      frequencies.set(stem, frequency);
    }
    this.deadline.check();
    return frequencies;
  }

  countPassages(limit: number): number {
    return this.passageCount.get(limit) ?? 0;
  }

  similarWords(keys: readonly string[]): string[] {
    return this.similar.all(JSON.stringify(keys));
  }

  hasFewerDocuments(count: number): boolean {
    return (this.documentCount.get(this.kbId, count) ?? 0) < count;
  }

  hasDocument(filter: Filter): boolean {
    const { sql, parameters } = metadataCondition(filter);
    const statement = this.index.prepare<[Parameters]>(statements.hasDocument(sql));
    return statement.get({ ...parameters, kbId: this.kbId }) !== undefined;
  }

  find({ terms, candidateWindow, onlyVisible, filter }: SearchOptions): Hit[] {
    const { sql, parameters } = filter ? metadataCondition(filter.filter) : NO_FILTER;
    const restriction = filter?.documentsFirst
      ? statements.onlyOfDocuments('rowid', sql)
      : filter || onlyVisible
        ? statements.onlyVisible('passages.rowid', sql)
        : '';
    const { selective, common } = terms;
    return this.hits(statements.find(common.length > 0, restriction), filter !== undefined, {
      selective: match(selective),
      ...(common.length > 0 && { common: `(${match(common)}) AND (${match(selective)})` }),
      ...parameters,
      ...(filter?.documentsFirst && { kbId: this.kbId }),
      limit: candidateWindow,
    });
  }

  nearest(model: string, vector: Float32Array, limit: number, filter?: Filter): NearestHit[] {
    const { sql, parameters } = filter ? metadataCondition(filter) : NO_FILTER;
    const restriction = filter ? statements.onlyVisible('chunk_number', sql) : '';
    return this.hits(statements.nearest(restriction), filter !== undefined, {
      ...parameters,
      kbId: this.kbId,
      model,
      vector: vectorBytes(vector),
      limit,
    });
  }

  load(numbers: readonly number[]): LoadedPassage[] {
    return numbers.flatMap((number) => {
      const row = this.passage.get(number);
      if (!row) return [];
      return {
        ...row,
        metadata: JSON.parse(row.metadata) as LoadedPassage['metadata'],
        locator: JSON.parse(row.locator ?? 'null') as LoadedPassage['locator'],
      };
    });
  }

  private hits(sql: string, hasFilter: boolean, parameters: Parameters): Hit[] {
    const statement = this.prepared.get(sql) ?? this.index.prepare<[Parameters], HitRow>(sql);
    // There is no end of different filters, and so of their statements.
    if (!hasFilter) this.prepared.set(sql, statement);
    return statement
      .all(parameters)
      .map((row) => ({ ...row, fingerprint: readFingerprint(row.fingerprint) }));
  }
}

/** A term that the question repeats counts as often. */
const match = (terms: readonly Term[]): string =>
  matchAny(terms.flatMap(({ stem, times }) => Array.from({ length: times }, () => stem)));
