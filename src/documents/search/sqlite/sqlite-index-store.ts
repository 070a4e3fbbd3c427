import type Database from 'better-sqlite3';
import { countBlockPostings } from '@latchkey/ranking/posting-block';
import { SearchDeadline } from '@latchkey/ranking/search-deadline';
import type {
  IndexReadStore,
  IndexStore,
  IndexTable,
  IndexValue,
  TermBlock,
  TermRange,
  WrittenBlock,
} from '../index-store.js';
import { SQLITE } from './sqlite-dialect.js';

/** Filters make arbitrary statements, so not all can be kept. */
const MAX_STATEMENTS = 100;

type Values = readonly unknown[];

/**
 * Reads and writes the tables of an index file. Statements stay prepared, since preparing takes longer
 * than a small search.
 */
export class SqliteIndexStore implements IndexReadStore, IndexStore {
  readonly dialect = SQLITE;
  private readonly statements = new Map<string, Database.Statement>();
  private deadline = new SearchDeadline(Infinity, () => false);

  constructor(
    private readonly file: Database.Database,
    readonly kbId: string,
  ) {
    // better-sqlite3 cannot interrupt a statement, but an error thrown by a function ends it.
    file.function('check_deadline', () => {
      this.deadline.check();
      return 1;
    });
  }

  /** Must be called before each search. */
  begin(deadline: SearchDeadline): void {
    this.deadline = deadline;
  }

  queryUntilDeadline<Row extends object>(sql: string, values: unknown[]): Row[] {
    this.deadline.check();
    return this.query<Row>(sql, values);
  }

  query<Row extends object>(sql: string, values: Values): Row[] {
    return this.prepared(sql).all(toNumbered(values)) as Row[];
  }

  /** The transaction itself locks the file; see `transaction`. */
  lock(): void {
    return undefined;
  }

  insert(
    { name, columns }: IndexTable,
    rows: readonly (readonly IndexValue[])[],
    conflict: string,
    returning?: string,
  ): IndexValue[] {
    const names = Object.keys(columns);
    const insert = this.prepared(
      `INSERT INTO ${name} (${names.join()}) VALUES (${names.map(() => '?').join()}) ${conflict}`,
    );
    const index = names.indexOf(returning ?? '');
    return rows.filter((row) => insert.run(...row).changes > 0).map((row) => row[index] ?? null);
  }

  remove({ name }: IndexTable, key: readonly string[], rows: readonly Values[]): void {
    const remove = this.prepared(
      `DELETE FROM ${name} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`,
    );
    for (const row of rows) remove.run(...row);
  }

  blocks(ranges: readonly TermRange[]): TermBlock[] {
    const newest = this.prepared(
      `SELECT term, first, block AS bytes FROM search_blocks
       WHERE term = ? ORDER BY first DESC LIMIT 1`,
    );
    const blocks = this.prepared(
      `SELECT term, first, block AS bytes FROM search_blocks
       WHERE term = ? AND first <= ? AND first >= COALESCE((
         SELECT max(first) FROM search_blocks WHERE term = ? AND first <= ?), ?)
       ORDER BY first`,
    );
    return ranges.flatMap(({ term, first, last }) => {
      const block = newest.get(term) as TermBlock | undefined;
      // Nearly all added passages are newer than the indexed ones.
      if (!block || block.first <= first) return block ?? [];
      return blocks.all(term, last, term, first, first) as TermBlock[];
    });
  }

  putBlocks(blocks: readonly WrittenBlock[]): void {
    const update = this.prepared(
      'UPDATE search_blocks SET postings = ?, block = ? WHERE term = ? AND first = ?',
    );
    const insert = this.prepared(
      'INSERT INTO search_blocks (postings, block, term, first) VALUES (?, ?, ?, ?)',
    );
    for (const { isNew, term, first, bytes } of blocks) {
      (isNew ? insert : update).run(countBlockPostings(bytes), bytes, term, first);
    }
  }

  private prepared(sql: string): Database.Statement {
    const known = this.statements.get(sql);
    if (known) return known;
    if (this.statements.size >= MAX_STATEMENTS) this.statements.clear();
    const statement = this.file.prepare(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}

/** Names the values for `$1`, `$2` and so on, as better-sqlite3 expects. */
const toNumbered = (values: Values): Record<number, unknown> =>
  Object.fromEntries(values.map((value, index) => [index + 1, value]));

const stores = new WeakMap<Database.Database, SqliteIndexStore>();

/** Returns the store of an open file, created once. */
export function getStore(file: Database.Database, kbId: string): SqliteIndexStore {
  const known = stores.get(file);
  if (known) return known;
  const store = new SqliteIndexStore(file, kbId);
  stores.set(file, store);
  return store;
}
