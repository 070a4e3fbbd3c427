/** Numbers, from `first` (inclusive) to `next` (exclusive). */
export interface Range {
  readonly first: number;
  readonly next: number;
}

export type ReportRow = Readonly<Record<string, unknown>>;
export type Parameter = string | number;

/** Runs SQL, whose parameters are `$1`, `$2` and so on, without blocking the event loop. */
export abstract class ReportQueries {
  /** A time in the form of the database's time columns. */
  abstract instant(milliseconds: number): string;

  /** Whether a column is in the list of texts that the parameter is, as JSON. */
  abstract isIn(column: string, parameter: string): string;

  /** The entries of a list that a column holds as JSON, to be joined: each is a `value`. */
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
