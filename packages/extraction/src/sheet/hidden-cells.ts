import type { ReadingContext } from '../block.js';
import type { SheetRow } from './sheet-row.js';

export const MAX_COLUMNS = 16_384;
/** A valid sheet has at most one range per column; further ones are ignored. */
const MAX_RANGES = MAX_COLUMNS;
/** The number of ranges named in the warning, for rows and for columns. */
const MAX_NAMED = 11;

/** The rows and columns that the author has hidden, including by a filter or a collapsed group. */
export class HiddenCells {
  private readonly rows = new Set<number>();
  private readonly columns = new Uint8Array(MAX_COLUMNS);
  private ranges = 0;

  /** @param number from 1 */
  addRow(number: number): void {
    this.rows.add(number);
  }

  /** Adds the columns from `first` up to but not including `last`, counted from 0. */
  addColumns(first: number, last: number): void {
    if (++this.ranges <= MAX_RANGES && first >= 0) this.columns.fill(1, first, last);
  }

  /** Returns the visible cells of the rows, and warns about the others. */
  leaveOut(rows: readonly SheetRow[], sheet: string, context: ReadingContext): readonly SheetRow[] {
    if (this.rows.size === 0 && this.ranges === 0) return rows;
    const columns = new Set<number>();
    const hidden: number[] = [];
    const visible = rows.flatMap((row) => {
      if (this.rows.has(row.number)) {
        hidden.push(row.number);
        return [];
      }
      const shown = this.visibleCells(row, columns);
      return shown.texts.length === 0 ? [] : [shown];
    });
    const inOrder = [...columns].sort((one, other) => one - other);
    const ranges = [
      ...formatRanges(hidden, 'row', String),
      ...formatRanges(inOrder, 'column', toColumnName),
    ];
    for (const range of ranges) {
      context.warn({ code: 'hidden_left_out', what: `${range} of “${sheet}”` });
    }
    return visible;
  }

  private visibleCells(row: SheetRow, left: Set<number>): SheetRow {
    if (!row.columns.some((column) => this.columns[column] === 1)) return row;
    const columns: number[] = [];
    const texts: string[] = [];
    let kinds = '';
    const spans = new Map<number, number>();
    for (const [place, column] of row.columns.entries()) {
      const next = row.columns[place + 1] ?? MAX_COLUMNS;
      const end = row.spans?.get(column) ?? column;
      const visible = this.findFirstVisible(column, Math.min(end, next - 1));
      if (visible === undefined) {
        left.add(column);
        continue;
      }
      columns.push(visible);
      texts.push(row.texts[place] ?? '');
      kinds += row.kinds.charAt(place);
      if (end > visible) spans.set(visible, end);
    }
    return { number: row.number, columns, texts, kinds, ...(spans.size > 0 && { spans }) };
  }

  /** A merged cell appears in the first visible one of its columns. */
  private findFirstVisible(column: number, end: number): number | undefined {
    const at = this.columns.subarray(column, end + 1).indexOf(0);
    return at === -1 ? undefined : column + at;
  }
}

/** Writes consecutive numbers as ranges, such as `rows 3–5`; only the first ranges are written. */
function formatRanges(
  numbers: readonly number[],
  noun: string,
  formatName: (number: number) => string,
): string[] {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range?.last === number - 1) range.last = number;
    else if (ranges.length === MAX_NAMED) break;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) =>
    first === last
      ? `${noun} ${formatName(first)}`
      : `${noun}s ${formatName(first)}–${formatName(last)}`,
  );
}

/** Converts a column number from 0 to a name such as `AB`. */
export function toColumnName(column: number): string {
  const above = Math.floor(column / 26);
  const letter = String.fromCharCode(65 + (column % 26));
  return above === 0 ? letter : toColumnName(above - 1) + letter;
}
