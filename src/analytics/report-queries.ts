/** SQL with its parameters, which it names `$1`, `$2` and so on. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** Runs what reports ask for, all of it on one state of the database. */
export abstract class ReportQueries {
  /** How this engine reads a JSON array of objects, parameter `$n`, as rows. */
  abstract rowsOf(parameter: string, columns: readonly string[]): string;

  /** A moment, as it is compared with a column. */
  abstract instant(milliseconds: number): string;

  /** @returns the rows of each statement */
  abstract run(statements: readonly Statement[]): Promise<Row[][]>;
}

export type Row = Readonly<Record<string, unknown>>;
