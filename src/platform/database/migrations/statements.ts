import type { QueryRunner } from 'typeorm';
import { sqlParameter } from '../dialect.js';

const BATCH = 2000;

type Value = string | number;

/** Runs SQL with `?` for each parameter, on both engines. */
export async function run<T>(
  queryRunner: QueryRunner,
  sql: string,
  ...values: Value[]
): Promise<T[]> {
  let index = 0;
  const text = sql.replaceAll('?', () => sqlParameter(queryRunner.dataSource, index++));
  return (await queryRunner.query(text, values)) as T[];
}

/** The batches of rows after each other by their key, which are read before they are changed. */
export async function* batches<T extends Record<string, Value>>(
  queryRunner: QueryRunner,
  select: string,
  key: readonly string[],
): AsyncGenerator<T[]> {
  const columns = key.join(', ');
  let after: Value[] | undefined;
  for (;;) {
    const where = after ? `AND (${columns}) > (${key.map(() => '?').join(', ')})` : '';
    const sql = `${select} ${where} ORDER BY ${columns} LIMIT ${BATCH}`;
    const rows = await run<T>(queryRunner, sql, ...(after ?? []));
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = key.map((column) => last[column] ?? '');
  }
}
