import { countBlockPostings } from '@latchkey/ranking/posting-block';
import {
  BLOCKS,
  type IndexStore,
  type IndexTable,
  type IndexValue,
  type TermBlock,
  type TermRange,
} from '../index-store.js';
import { POSTGRES } from './postgres-dialect.js';

interface Client {
  query(sql: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * Selects the blocks of the terms `$2` that contain the numbers from `$3` to `$4`. `OFFSET 0` makes
 * PostgreSQL look up each term in the index; otherwise it would read the blocks of all knowledge bases.
 */
export const READ_BLOCKS = `
  SELECT b.term, b.first, b.block AS bytes
  FROM search_indexes i
  CROSS JOIN unnest($2::text[], $3::bigint[], $4::bigint[]) AS p (term, first, last)
  CROSS JOIN LATERAL (
    SELECT term, first, block FROM search_blocks
    WHERE index_number = i.number AND term = p.term AND first <= p.last
      AND first >= COALESCE((
        SELECT max(first) FROM search_blocks
        WHERE index_number = i.number AND term = p.term AND first <= p.first), p.first)
    OFFSET 0) b
  WHERE i.kb_id = $1 ORDER BY b.term, b.first`;

/** Adds nothing for a knowledge base that was erased in the meantime; later inserts then have no effect. */
const ADD_INDEX = `
  INSERT INTO search_indexes (kb_id) SELECT id FROM knowledge_bases WHERE id = $1 FOR KEY SHARE
  ON CONFLICT DO NOTHING`;
const LOCK_INDEX = 'SELECT number FROM search_indexes WHERE kb_id = $1 FOR UPDATE';
const REPLACE = `ON CONFLICT (index_number, term, first)
  DO UPDATE SET postings = excluded.postings, block = excluded.block`;

/** Writes the tables of one index in a transaction; each statement writes all its rows. */
export class PostgresIndexStore implements IndexStore {
  readonly dialect = POSTGRES;

  constructor(
    private readonly client: Client,
    readonly kbId: string,
  ) {}

  async query<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
    return (await this.client.query(sql, values)).rows as Row[];
  }

  /** Every writing transaction takes this lock first, so that two cannot deadlock. */
  async lock(mayCreate: boolean): Promise<void> {
    const found = await this.query(LOCK_INDEX, [this.kbId]);
    if (found.length > 0 || !mayCreate) return;
    await this.query(ADD_INDEX, [this.kbId]);
    await this.query(LOCK_INDEX, [this.kbId]);
  }

  async insert(
    { name, columns }: IndexTable,
    rows: readonly (readonly IndexValue[])[],
    conflict: string,
    returning?: string,
  ): Promise<IndexValue[]> {
    if (rows.length === 0) return [];
    const written = await this.query<{ value: IndexValue }>(
      `INSERT INTO ${name} (index_number, ${Object.keys(columns).join()})
       SELECT i.number, r.* FROM search_indexes i
       CROSS JOIN unnest(${parameters(Object.values(columns))}) AS r WHERE i.kb_id = $1
       ${conflict} ${returning === undefined ? '' : `RETURNING ${returning} AS value`}`,
      [this.kbId, ...toColumns(rows)],
    );
    return written.map(({ value }) => value);
  }

  async remove(
    { name, columns }: IndexTable,
    key: readonly string[],
    rows: readonly (readonly IndexValue[])[],
  ): Promise<void> {
    if (rows.length === 0) return;
    const types = key.map((column) => columns[column] ?? '');
    await this.query(
      `DELETE FROM ${name} t
       USING search_indexes i, unnest(${parameters(types)}) AS r (${key.join()})
       WHERE i.kb_id = $1 AND t.index_number = i.number
         AND ${key.map((column) => `t.${column} = r.${column}`).join(' AND ')}`,
      [this.kbId, ...toColumns(rows)],
    );
  }

  blocks(ranges: readonly TermRange[]): Promise<TermBlock[]> {
    const columns = toColumns(ranges.map(({ term, first, last }) => [term, first, last]));
    return this.query<TermBlock>(READ_BLOCKS, [this.kbId, ...columns]);
  }

  async putBlocks(blocks: readonly TermBlock[]): Promise<void> {
    const rows = blocks.map(({ term, first, bytes }) => [
      term,
      first,
      countBlockPostings(bytes),
      bytes,
    ]);
    await this.insert(BLOCKS, rows, REPLACE);
  }
}

const parameters = (types: readonly string[]): string =>
  types.map((type, index) => `$${index + 2}::${type}[]`).join();

const toColumns = (rows: readonly (readonly IndexValue[])[]): unknown[][] =>
  (rows[0] ?? []).map((_, index) => rows.map((row) => toDriverValue(row[index] ?? null)));

/** The driver would treat other byte arrays as lists. */
const toDriverValue = (value: IndexValue): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length) : value;
