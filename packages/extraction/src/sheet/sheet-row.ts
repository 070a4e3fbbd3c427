/**
 * The cells of a row that have a value, from the left. They are stored as arrays rather than objects: a
 * sheet may have a million cells, and most rows share the array of their columns.
 */
export interface SheetRow {
  /** From 1, as the sheet shows it. */
  readonly number: number;
  /** The column of each cell, from 0. */
  columns: readonly number[];
  /** The text of each cell. */
  readonly texts: string[];
  /** A letter for each cell: `n` for a number, `t` for text. */
  kinds: string;
  /** The last column of each merged cell, by its first column. */
  spans?: Map<number, number>;
}

/** The index of the cell in a column; -1 if there is none. */
export const findCell = ({ columns }: SheetRow, column: number): number => columns.indexOf(column);
