import type { PoolClient, QueryResultRow } from 'pg';
import type { DataSource, EntityManager, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { inStatementSpan } from '../telemetry/trace-statements.js';
import { isTracing } from '../telemetry/tracing.js';
import { isPostgres } from './dialect.js';
import { statementName } from './topology/pooler.js';
import { postgresPool, sqliteConnection } from './typeorm-internals.js';

/** Runs one statement and returns its rows. */
export type PreparedQuery<Row> = (parameters: string[]) => Promise<Row[]>;

/**
 * Prepares a statement that every request runs: SQLite once, PostgreSQL once for each connection.
 * Preparing takes several times as long as running it.
 */
export function prepareQuery<Row extends object>(
  dataSource: DataSource,
  sql: string,
): PreparedQuery<Row> {
  const run: PreparedQuery<Row> = isPostgres(dataSource)
    ? prepareOnPostgres(dataSource, sql)
    : prepareOnSqlite(dataSource, sql);
  const { type } = dataSource.options;
  return isTracing() ? (parameters) => inStatementSpan(type, sql, () => run(parameters)) : run;
}

function prepareOnPostgres<Row extends object>(
  dataSource: DataSource,
  sql: string,
): PreparedQuery<Row> {
  const pool = postgresPool(dataSource);
  const query = { name: statementName(pool, sql), text: sql };
  return async (values) => (await pool.query<Row & QueryResultRow>({ ...query, values })).rows;
}

/**
 * The maximum number of prepared statements: each list length makes a new text, and each connection
 * keeps what it has prepared.
 */
const MAX_PREPARED = 100;
const prepared = new Set<string>();

/**
 * Runs a query that nearly every request needs, within the manager's transaction if it has one, and
 * returns raw rows. On PostgreSQL it is prepared: planning a join of seven tables takes ten times as
 * long as running it.
 */
export async function queryPrepared<Row extends object>(
  { dataSource, queryRunner }: EntityManager,
  query: SelectQueryBuilder<ObjectLiteral>,
): Promise<Row[]> {
  if (!isPostgres(dataSource)) return query.getRawMany<Row>();
  const [text, values] = query.getQueryAndParameters();
  if (prepared.size < MAX_PREPARED) prepared.add(text);
  const pool = postgresPool(dataSource);
  const name = prepared.has(text) ? statementName(pool, text) : undefined;
  const run = async () => {
    const client = queryRunner ? ((await queryRunner.connect()) as PoolClient) : pool;
    return (await client.query<Row & QueryResultRow>({ name, text, values })).rows;
  };
  return isTracing() ? inStatementSpan('postgres', text, run) : run();
}

interface PendingRead<Row> {
  readonly parameters: string[];
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs the reads of one turn of the event loop in one read transaction, which begins after the last of
 * them was requested. SQLite locks and unlocks its file for each transaction: with one per read, the
 * guarded route answers 2,400 requests a second instead of 6,300 (bench/auth.mjs).
 */
function prepareOnSqlite<Row extends object>(
  dataSource: DataSource,
  sql: string,
): PreparedQuery<Row> {
  const database = sqliteConnection(dataSource);
  const statement = database.prepare<string[], Row>(sql);
  const readAll = database.transaction((reads: PendingRead<Row>[]) =>
    reads.map(({ parameters }) => statement.all(...parameters)),
  );
  let pending: PendingRead<Row>[] = [];
  const flush = () => {
    const reads = pending;
    pending = [];
    try {
      readAll(reads).forEach((rows, index) => reads[index]?.resolve(rows));
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  };
  return (parameters) =>
    new Promise((resolve, reject) => {
      pending.push({ parameters, resolve, reject });
      if (pending.length === 1) setImmediate(flush);
    });
}
