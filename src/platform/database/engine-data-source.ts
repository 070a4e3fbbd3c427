import type { ClientBase } from 'pg';
import {
  DataSource,
  type DataSourceOptions,
  type Driver,
  type QueryRunner,
  type ReplicationMode,
} from 'typeorm';
import { parseJson } from '@latchkey/text/parse-json';
import { traceStatements } from '../telemetry/trace-statements.js';
import { unwrapDriverError } from './database-error.js';
import { isUnanswered } from './driver-error.js';
import { isPostgres, setColumnTypes } from './dialect.js';

let lastBuild: Promise<unknown> = Promise.resolve();

/** A data source whose entities have the column types of its engine. */
export class EngineDataSource extends DataSource {
  constructor(options: DataSourceOptions) {
    super(options);
    readJsonColumns(this.driver);
  }

  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    const runner = super.createQueryRunner(mode);
    return traceStatements(isPostgres(this) ? closeUnanswered(runner) : runner);
  }

  /**
   * TypeORM reads the types from the decorators' metadata, which all data sources share. The types are
   * therefore set before each build, and builds run one at a time.
   */
  protected override buildMetadatas(): Promise<void> {
    const build = lastBuild.then(() => {
      setColumnTypes(this);
      return super.buildMetadatas();
    });
    lastBuild = build.catch(() => undefined);
    return build;
  }
}

/**
 * Parses JSON columns of SQLite safely, where TypeORM would use `JSON.parse`. PostgreSQL's driver
 * parses its own.
 */
function readJsonColumns(driver: Driver): void {
  const prepare = driver.prepareHydratedValue.bind(driver);
  driver.prepareHydratedValue = (value: unknown, column) =>
    column.type === 'simple-json' && typeof value === 'string'
      ? parseJson(value)
      : (prepare(value, column) as unknown);
}

/**
 * Closes a connection after a timeout, where TypeORM would return it to the pool. If its server is
 * gone, TCP would keep it open for a quarter of an hour, and each request that gets it would time out.
 */
function closeUnanswered(runner: QueryRunner): QueryRunner {
  const query = runner.query.bind(runner) as (...values: unknown[]) => Promise<unknown>;
  const queryOrClose = async (...values: unknown[]) => {
    try {
      return await query(...values);
    } catch (error) {
      if (isUnanswered(unwrapDriverError(error))) await closeConnection(runner);
      throw error;
    }
  };
  return Object.assign(runner, { query: queryOrClose });
}

/** Closes the connection of a query runner, so that the pool drops it. */
export async function closeConnection(runner: QueryRunner): Promise<void> {
  if (runner.isReleased) return;
  const client = (await runner.connect()) as ClientBase & { end: () => Promise<void> };
  // While a statement runs, it closes the socket; otherwise it sends Terminate, and needs no answer.
  void client.end().catch(() => undefined);
}
