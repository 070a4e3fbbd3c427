/** Merges rows with the same key, and sorts by key: a statement may change no row twice. */
export function mergeRows<Row>(
  rows: readonly Row[],
  toKey: (row: Row) => string,
  merge: (one: Row, other: Row) => Row,
): Row[] {
  const merged = new Map<string, Row>();
  for (const row of rows) {
    const other = merged.get(toKey(row));
    merged.set(toKey(row), other ? merge(other, row) : row);
  }
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
