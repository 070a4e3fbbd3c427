import type { Page } from '../../platform/http/page.dto.js';
import { invalidField } from '../../platform/problems/problem.js';
import type { Parameter, ReportRow } from '../../platform/reports/report-queries.js';

/** SQL for the rows after the last one of a page; its parameters follow `from` others. */
export function afterCursor(
  column: string,
  count: string | undefined,
  value: Parameter | undefined,
  from: number,
): { sql: string; parameters: Parameter[] } {
  if (count === undefined || value === undefined) return { sql: '', parameters: [] };
  const [first, second] = [`$${from + 1}`, `$${from + 2}`];
  return {
    sql: `WHERE count < ${first} OR (count = ${first} AND ${column} < ${second})`,
    parameters: [Number(count), value],
  };
}

export function toPage<T>(
  rows: readonly ReportRow[],
  total: ReportRow,
  limit: number,
  { toRow, toCursor }: { toRow: (row: ReportRow) => T; toCursor: (row: ReportRow) => string },
): Page<T> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: page.map(toRow),
    next_cursor: hasMore && last ? Buffer.from(toCursor(last)).toString('base64url') : null,
    has_more: hasMore,
    total: Number(total['total']),
  };
}

export function decodeCursor(cursor: string | undefined, pattern: RegExp): string[] {
  if (cursor === undefined) return [];
  const parts = pattern.exec(Buffer.from(cursor, 'base64url').toString());
  if (!parts || parts.slice(1).some((part) => Number(part) > Number.MAX_SAFE_INTEGER)) {
    throw invalidField('cursor', 'cursor must be the next_cursor of an earlier page');
  }
  return parts.slice(1);
}

/** SQLite returns a time as text in UTC, without a zone. */
export const toInstant = (value: unknown): string =>
  (value instanceof Date ? value : new Date(`${String(value)}Z`)).toISOString();
