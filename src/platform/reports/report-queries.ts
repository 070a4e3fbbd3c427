/** A range of numbers from `first` (inclusive) to `next` (exclusive). */
export interface Range {
  readonly first: number;
  readonly next: number;
}

export type ReportRow = Readonly<Record<string, unknown>>;
export type Parameter = string | number;

/** Runs SQL with parameters `$1`, `$2` and so on, without blocking the event loop. */
export abstract class ReportQueries {
  /** Converts a time to the format of the database's time columns. */
  abstract instant(milliseconds: number): string;

  /** Builds a condition that a column is in a list of texts, given as a JSON parameter. */
  abstract isIn(column: string, parameter: string): string;

  /** Builds a table of the entries of a JSON list in a column, each as `value`, to be joined. */
  abstract entries(column: string, of: 'json' | 'text'): string;

  abstract run(sql: string, parameters: readonly Parameter[]): Promise<ReportRow[]>;

  /**
   * Runs a statement for each range, with the placeholders `$first` and `$next`.
   *
   * @returns the rows of all ranges, in their order
   */
  abstract runForRanges(
    sql: string,
    parameters: readonly Parameter[],
    ranges: readonly Range[],
  ): Promise<ReportRow[]>;
}
