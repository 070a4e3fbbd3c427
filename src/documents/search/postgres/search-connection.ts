import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import { classifyFailure } from '../../../platform/database/database-error.js';
import { closeConnection } from '../../../platform/database/engine-data-source.js';
import { isPooled, statementName } from '../../../platform/database/topology/pooler.js';
import { postgresPool } from '../../../platform/database/typeorm-internals.js';
import { inStatementSpan } from '../../../platform/telemetry/trace-statements.js';
import type { IndexReadStore } from '../index-store.js';
import { POSTGRES } from './postgres-dialect.js';
import { SearchDeadline, SearchInterruptedError } from '@latchkey/ranking/search-deadline';

/** The driver times out this much later than the server, in case the server does not answer. */
const DRIVER_TIMEOUT_MARGIN_MS = 2000;

/** A connection of the pool whose statements are cancelled at the deadline of their search. */
export class SearchConnection implements IndexReadStore {
  readonly dialect = POSTGRES;
  private broken: Error | undefined;
  /** Behind a pooler: the server process that belongs to this search until its transaction ends. */
  private transactionProcess: number | undefined;

  private constructor(
    private readonly pool: Pool,
    private readonly client: PoolClient & { readonly processID?: number },
    private readonly deadline: SearchDeadline,
    private readonly signal: AbortSignal | undefined,
  ) {
    // A connection lost between statements emits `error`, which without a listener would end the
    // process. The next statement fails anyway.
    client.on('error', this.onError);
  }

  /** @param manager its connection is used if it has one, otherwise one of its pool */
  static async use<T>(
    manager: EntityManager,
    deadline: SearchDeadline,
    signal: AbortSignal | undefined,
    work: (connection: SearchConnection) => Promise<T>,
  ): Promise<T> {
    const pool = postgresPool(manager.dataSource);
    const runner = manager.queryRunner ?? manager.dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    const connection = new SearchConnection(pool, client, deadline, signal);
    try {
      if (isPooled(pool)) await connection.begin();
      return await work(connection);
    } finally {
      await connection.release();
      if (connection.broken) await closeConnection(runner);
      if (!manager.queryRunner) await runner.release();
    }
  }

  /**
   * Runs a statement until the deadline, or until the client disconnects.
   *
   * @throws SearchInterruptedError if it was cancelled, also by the server's `statement_timeout`
   */
  async queryUntilDeadline<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    this.deadline.check();
    let cancelling: Promise<unknown> | undefined;
    const cancel = () => {
      cancelling ??= this.cancel();
    };
    const timer = setTimeout(cancel, this.deadline.remainingMs);
    this.signal?.addEventListener('abort', cancel);
    try {
      return await this.run<Row>(text, values);
    } catch (error) {
      if (classifyFailure(error) !== 'cancelled') throw error;
      await cancelling;
      await this.end();
      throw new SearchInterruptedError();
    } finally {
      clearTimeout(timer);
      this.signal?.removeEventListener('abort', cancel);
      // A late cancellation could hit the next statement of this connection.
      await cancelling;
    }
  }

  /** Runs a quick statement, even after the deadline. */
  async query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      return await this.run<Row>(text, values);
    } catch (error) {
      // A cancellation of the statement before may arrive late.
      if (classifyFailure(error) !== 'cancelled') throw error;
      await this.end();
      return this.run<Row>(text, values);
    }
  }

  /** Runs a statement, prepared once per connection: planning takes longer than searching a small index. */
  private async run<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      const query: QueryConfig & { readonly query_timeout: number } = {
        name: statementName(this.pool, text),
        text,
        values,
        query_timeout: this.deadline.remainingMs + DRIVER_TIMEOUT_MARGIN_MS,
      };
      const { rows } = await inStatementSpan('postgres', text, () =>
        this.client.query<Row & QueryResultRow>(query),
      );
      return rows;
    } catch (error) {
      if (error instanceof Error && classifyFailure(error) === 'away') this.broken = error;
      throw error;
    }
  }

  /**
   * Cancels the running statement through another connection. If none is free, the server's
   * `statement_timeout` ends it.
   */
  private async cancel(): Promise<void> {
    await this.pool
      .query('SELECT pg_cancel_backend($1)', [this.transactionProcess ?? this.client.processID])
      .catch(() => undefined);
  }

  /**
   * Begins a transaction. Without one, a pooler may run each statement in another server process, which
   * could not be cancelled and would not stop by itself, since the service cannot set its timeout.
   */
  private async begin(): Promise<void> {
    try {
      await this.beginTransaction();
    } catch (error) {
      // The transaction may still begin later, so the connection must not be reused.
      this.broken = error instanceof Error ? error : new Error('No transaction', { cause: error });
      throw error;
    }
  }

  private async beginTransaction(): Promise<void> {
    // The pool's limit of a statement, which the pooler does not pass on.
    const { query_timeout: limit = Infinity } = this.pool.options;
    const timeout = Math.min(this.deadline.remainingMs + DRIVER_TIMEOUT_MARGIN_MS, limit);
    await this.client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(timeout)}`);
    const [row] = await this.run<{ process: number }>('SELECT pg_backend_pid() AS process', []);
    this.transactionProcess = row?.process;
  }

  private async end(): Promise<void> {
    if (this.transactionProcess === undefined) return;
    this.transactionProcess = undefined;
    await this.run('ROLLBACK', []).catch(this.onError);
  }

  private readonly onError = (error: Error) => {
    this.broken = error;
  };

  private async release(): Promise<void> {
    if (this.broken === undefined) await this.end();
    this.client.off('error', this.onError);
  }
}
