import type { EntityMetadata } from 'typeorm';
import type { SearchIndex } from '../search/search-index.js';
import { EmbeddedSource, Row } from './embedded-source.js';
import { PostgresTarget } from './postgres-target.js';
import { ProgressLine } from './progress-line.js';

/** What goes over in one transaction: so many rows, or so many bytes where rows are large. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 4_000_000;

const SEARCH = 'search index';
const SEARCH_BATCH = 100;

export interface TableCounts {
  readonly table: string;
  readonly embedded: number;
  readonly postgres: number;
}

/** Goes on where an earlier run was interrupted. Gives how many rows there are on each side. */
export async function copyDatabase(
  source: EmbeddedSource,
  target: PostgresTarget,
  index: SearchIndex,
): Promise<TableCounts[]> {
  const counts: TableCounts[] = [];
  for (const table of target.tables) {
    await copyTable(source, target, table);
    await target.countOnFrom(table, source.highestNumber(table));
    const postgres = await target.count(table);
    counts.push({ table: table.tableName, embedded: source.count(table), postgres });
  }
  await fillIndex(target, index);
  return counts;
}

async function copyTable(
  source: EmbeddedSource,
  target: PostgresTarget,
  table: EntityMetadata,
): Promise<void> {
  const mark = await target.mark(table.tableName);
  const begun = mark === undefined ? 0 : await target.count(table);
  const progress = new ProgressLine(table.tableName, source.count(table), begun);
  const after = mark === undefined ? [] : (JSON.parse(mark) as unknown[]);
  for (const batch of inBatches(source.rows(table, after))) {
    const last = batch.at(-1);
    const key = table.primaryColumns.map(({ databaseName }) => last?.[databaseName]);
    await target.insert(table, batch, JSON.stringify(key));
    progress.advance(batch.length);
  }
  progress.end();
}

function* inBatches(rows: Iterable<Row>): Iterable<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    bytes += sizeOf(row);
    if (batch.length === BATCH_ROWS || bytes >= BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

const sizeOf = (row: Row): number =>
  Object.values(row).reduce<number>(
    (sum, value) =>
      sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    0,
  );

/** Derived data: made anew, which does what indexing the documents here would have done. */
async function fillIndex(target: PostgresTarget, index: SearchIndex): Promise<void> {
  let after = (await target.mark(SEARCH)) ?? '';
  const total = await target.countFindable('');
  const progress = new ProgressLine(SEARCH, total, total - (await target.countFindable(after)));
  for (;;) {
    const documents = await target.findableDocuments(after, SEARCH_BATCH);
    const last = documents.at(-1);
    if (!last) break;
    for (const { id, kb_id, version } of documents) {
      await index.add(kb_id, [{ documentId: id, version }]);
      progress.advance(1);
    }
    after = last.id;
    await target.setMark(SEARCH, after);
  }
  progress.end();
}
