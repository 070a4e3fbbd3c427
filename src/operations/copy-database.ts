import type { EntityMetadata } from 'typeorm';
import { parseJson } from '@latchkey/text/parse-json';
import type { SearchIndex } from '@latchkey/ranking/search-index';
import { EmbeddedSource, StoredRow } from './embedded-source.js';
import { PostgresTarget } from './postgres-target.js';
import { ProgressLine } from './progress-line.js';

/** The maximum number of rows, and of bytes, in one transaction. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 4_000_000;

const SEARCH = 'search index';
const SEARCH_BATCH = 100;

export interface TableCounts {
  readonly table: string;
  readonly embedded: number;
  readonly postgres: number;
}

/** Copies all rows, or the rest after an interruption, and counts them on both sides. */
export async function copyDatabase(
  source: EmbeddedSource,
  target: PostgresTarget,
  index: SearchIndex,
): Promise<TableCounts[]> {
  const counts: TableCounts[] = [];
  for (const table of target.tables) {
    await copyTable(source, target, table);
    await target.setSequence(table, source.highestNumber(table));
    const postgres = await target.count(table);
    counts.push({ table: table.tableName, embedded: source.count(table), postgres });
  }
  await target.leaveOwnIndexes();
  await buildIndex(target, index);
  return counts;
}

async function copyTable(
  source: EmbeddedSource,
  target: PostgresTarget,
  table: EntityMetadata,
): Promise<void> {
  const position = await target.position(table.tableName);
  const copied = position === undefined ? 0 : await target.count(table);
  const progress = new ProgressLine(table.tableName, source.count(table), copied);
  const after = position === undefined ? [] : (parseJson(position) as unknown[]);
  for (const batch of toBatches(source.rows(table, after))) {
    const last = batch.at(-1);
    const key = table.primaryColumns.map(({ databaseName }) => last?.[databaseName]);
    await target.insert(table, batch, JSON.stringify(key));
    progress.advance(batch.length);
  }
  progress.end();
}

function* toBatches(rows: Iterable<StoredRow>): Iterable<StoredRow[]> {
  let batch: StoredRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    bytes += countBytes(row);
    if (batch.length === BATCH_ROWS || bytes >= BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

const countBytes = (row: StoredRow): number =>
  Object.values(row).reduce<number>(
    (sum, value) =>
      sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    0,
  );

/** Builds the search index from the passages that were copied. */
async function buildIndex(target: PostgresTarget, index: SearchIndex): Promise<void> {
  let after = (await target.position(SEARCH)) ?? '';
  const total = await target.countSearchable('');
  const progress = new ProgressLine(SEARCH, total, total - (await target.countSearchable(after)));
  for (;;) {
    const documents = await target.searchableDocuments(after, SEARCH_BATCH);
    const last = documents.at(-1);
    if (!last) break;
    for (const { id, kb_id, version } of documents) {
      await index.add(kb_id, [{ documentId: id, version }]);
      progress.advance(1);
    }
    after = last.id;
    await target.setPosition(SEARCH, after);
  }
  progress.end();
}
