/**
 * The cells of a row that have a value, from the left. Not an object for each: a sheet has a million,
 * and most rows share their columns.
 */
export interface SheetRow {
  /** From 1, as the sheet shows it. */
  readonly number: number;
  /** Of each cell, from 0. */
  columns: readonly number[];
  /** Of each cell. */
  readonly texts: string[];
  /** Of each cell: `n` for a number, `t` for text. */
  kinds: string;
  /** By the column of a merged cell, the last column that it reaches to. */
  spans?: Map<number, number>;
}

/** Which of the row's cells is in a column; -1 if none is. */
export const findCell = ({ columns }: SheetRow, column: number): number => columns.indexOf(column);
