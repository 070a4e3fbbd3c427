import type Database from 'better-sqlite3';
import { TOO_FREQUENT } from '../bounds.js';
import { readFingerprint } from '../fingerprint.js';
import type { Filter } from '../metadata-filter.js';
import type { Hit } from '../rank.js';
import { SearchDeadline } from '../search-deadline.js';
import type { FoundPassage, IndexReader, NearestHit, SearchOptions } from '../search-passages.js';
import type { Term } from '../term-selection.js';
import { vectorBytes } from '../vector.js';
import { matchAny } from './index-content.js';
import { type Condition, metadataCondition } from './metadata-condition.js';
import * as statements from './statements.js';

type PassageRow = Omit<FoundPassage, 'metadata'> & { metadata: string };
type NearestRow = Pick<Hit, 'number'> & { fingerprint: Uint8Array | null };
type HitRow = NearestRow & { score: number };
type Parameters = Record<string, string | number | Buffer>;

const NO_FILTER: Condition = { sql: 'TRUE', parameters: {} };

/** Keeps the statements prepared for all searches of one index. */
export class SqliteIndexReader implements IndexReader {
  readonly heavyPostings = 500_000;
  private deadline = new SearchDeadline(0, () => false);
  private readonly prepared = new Map<string, Database.Statement<[Parameters], HitRow>>();
  private readonly frequency;
  private readonly passages;
  private readonly countDocuments;
  private readonly passage;
  private readonly similar;

  constructor(
    private readonly index: Database.Database,
    private readonly kbId: string,
  ) {
    // better-sqlite3 has no way to interrupt a statement; what a function throws ends it.
    index.function('check_deadline', () => {
      this.deadline.check();
      return 1;
    });
    index.exec(statements.CREATE_VOCABULARY);
    this.frequency = index.prepare<[string], number>(statements.FREQUENCY).pluck();
    this.passages = index.prepare<[number], number>(statements.COUNT_PASSAGES).pluck();
    this.countDocuments = index
      .prepare<[string, number], number>(statements.COUNT_DOCUMENTS)
      .pluck();
    this.passage = index.prepare<[number], PassageRow>(statements.PASSAGE);
    this.similar = index.prepare<[string], string>(statements.SIMILAR).pluck();
  }

  /** To be called before each search. */
  begin(deadline: SearchDeadline): void {
    this.deadline = deadline;
  }

  frequencies(stems: readonly string[]): Map<string, number> {
    const frequencies = new Map<string, number>();
    for (const stem of stems) {
      // Half of the time is left for finding what the other terms are in.
      const frequency = this.deadline.isHalfOver ? TOO_FREQUENT : (this.frequency.get(stem) ?? 0);
      frequencies.set(stem, frequency);
    }
    this.deadline.check();
    return frequencies;
  }

  countPassages(limit: number): number {
    return this.passages.get(limit) ?? 0;
  }

  similarWords(keys: readonly string[]): string[] {
    return this.similar.all(JSON.stringify(keys));
  }

  hasFewerDocuments(count: number): boolean {
    return (this.countDocuments.get(this.kbId, count) ?? 0) < count;
  }

  hasDocument(filter: Filter): boolean {
    const { sql, parameters } = metadataCondition(filter);
    const statement = this.index.prepare<[Parameters]>(statements.hasDocument(sql));
    return statement.get({ ...parameters, kbId: this.kbId }) !== undefined;
  }

  find({ terms, candidateWindow, onlyVisible, filter }: SearchOptions): Hit[] {
    const { sql, parameters } = filter ? metadataCondition(filter.filter) : NO_FILTER;
    const restriction = filter?.documentsFirst
      ? statements.ofDocuments('rowid', sql)
      : filter || onlyVisible
        ? statements.visible('passages.rowid', sql)
        : '';
    const { selective, common } = terms;
    const statement = this.prepare(statements.find(common.length > 0, restriction), !filter);
    const rows = statement.all({
      selective: match(selective),
      ...(common.length > 0 && { common: `(${match(common)}) AND (${match(selective)})` }),
      ...parameters,
      ...(filter?.documentsFirst && { kbId: this.kbId }),
      limit: candidateWindow,
    });
    return rows.map((row) => ({ ...row, fingerprint: fingerprintOf(row) }));
  }

  nearest(model: string, vector: Float32Array, limit: number, filter?: Filter): NearestHit[] {
    const { sql, parameters } = filter ? metadataCondition(filter) : NO_FILTER;
    const restriction = filter ? statements.visible('chunk_number', sql) : '';
    const rows = this.prepare(statements.nearest(restriction), !filter).all({
      ...parameters,
      kbId: this.kbId,
      model,
      vector: vectorBytes(vector),
      limit,
    });
    return rows.map((row) => ({ number: row.number, fingerprint: fingerprintOf(row) }));
  }

  load(numbers: readonly number[]): FoundPassage[] {
    return numbers.flatMap((number) => {
      const row = this.passage.get(number);
      return row
        ? [{ ...row, metadata: JSON.parse(row.metadata) as FoundPassage['metadata'] }]
        : [];
    });
  }

  /** @param keep whether the statement is the same for many questions */
  private prepare(sql: string, keep: boolean): Database.Statement<[Parameters], HitRow> {
    const statement = this.prepared.get(sql) ?? this.index.prepare<[Parameters], HitRow>(sql);
    if (keep) this.prepared.set(sql, statement);
    return statement;
  }
}

/** A term that the question has twice counts twice. */
const match = (terms: readonly Term[]): string =>
  matchAny(terms.flatMap(({ stem, times }) => Array.from({ length: times }, () => stem)));

const fingerprintOf = ({ fingerprint }: NearestRow) =>
  fingerprint ? readFingerprint(fingerprint) : undefined;
