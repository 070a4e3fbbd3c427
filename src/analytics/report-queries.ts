/** SQL with its parameters, which it names `$1`, `$2` and so on. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

/** Runs what reports ask for. Between two statements, more may have been counted. */
export abstract class ReportQueries {
  /** How this engine reads a JSON array of objects, parameter `$n`, as rows of whole numbers. */
  abstract rowsOf(parameter: string, columns: readonly string[]): string;

  /** How this engine joins rows of a table, called `usage`, to each of few others by its index. */
  abstract join(table: string, condition: string): string;

  /** A moment, as it is compared with a column. */
  abstract instant(milliseconds: number): string;

  /** @returns the rows of each statement */
  abstract run(statements: readonly Statement[]): Promise<Row[][]>;
}

export type Row = Readonly<Record<string, unknown>>;
