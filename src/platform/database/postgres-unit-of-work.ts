import { Logger } from '@nestjs/common';
import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { CommitsWaitError, failureOf } from './database-error.js';
import { isUnanswered } from './driver-error.js';
import { RareWarning } from '../telemetry/rare-warning.js';
import { UnitOfWork } from './unit-of-work.js';

const ATTEMPTS = 3;
const CHECK_INTERVAL_MS = 1000;

/**
 * Commits of this role, because PostgreSQL hides what other roles wait for. With a standby each commit
 * waits for a moment, so those of other processes count only after a second.
 */
const WAITING_COMMITS = `
  SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND wait_event = 'SyncRep'
    AND query_start < clock_timestamp() - interval '1 second'`;

/**
 * PostgreSQL lets a commit wait for a synchronous standby without a limit, and its connection stays
 * open on the server even if the client closes it. With one more for each write, there would soon be
 * none left for reads. So after a commit without an answer, no other one begins until none waits. The
 * waiting ones are not cancelled: their changes would become visible, and be acknowledged to whoever
 * repeats the request, although no standby has them.
 */
export class PostgresUnitOfWork extends UnitOfWork {
  private readonly logger = new Logger(PostgresUnitOfWork.name);
  private commitsWait = false;
  private checkedAt = -Infinity;
  private readonly warning = new RareWarning(this.logger);
  private checking: Promise<void> | undefined;

  constructor(private readonly dataSource: DataSource) {
    super();
  }

  override async canCommit(): Promise<boolean> {
    if (this.commitsWait) await this.check();
    return !this.commitsWait;
  }

  override noteUnansweredCommit(): void {
    this.commitsWait = true;
  }

  protected override async transact<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    if (!(await this.canCommit())) throw new CommitsWaitError();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.dataSource.transaction(async (manager) => {
          const result = await work(manager);
          // This one began before the first commit was found to wait.
          if (this.commitsWait) throw new CommitsWaitError();
          return result;
        });
      } catch (error) {
        if (isUnansweredCommit(error)) this.noteUnansweredCommit();
        if (failureOf(error) !== 'conflict' || attempt === ATTEMPTS) throw error;
      }
    }
  }

  private check(): Promise<void> {
    if (this.checking === undefined && performance.now() - this.checkedAt < CHECK_INTERVAL_MS) {
      return Promise.resolve();
    }
    this.checking ??= this.countWaiting().finally(() => {
      this.checking = undefined;
      this.checkedAt = performance.now();
    });
    return this.checking;
  }

  private async countWaiting(): Promise<void> {
    const [row] = await this.dataSource.query<{ count: number }[]>(WAITING_COMMITS);
    if (row?.count === 0) {
      this.commitsWait = false;
      this.logger.log('No commit waits for a standby any more');
    } else {
      this.warning.log('Writes are refused while commits wait for a synchronous standby');
    }
  }
}

const isUnansweredCommit = (error: unknown) =>
  error instanceof QueryFailedError && error.query === 'COMMIT' && isUnanswered(error.driverError);
