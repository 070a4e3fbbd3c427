import { Logger } from '@nestjs/common';
import { type DataSource, QueryFailedError } from 'typeorm';
import { RareWarning } from '../../telemetry/rare-warning.js';
import { CommitsWaitError } from '../database-error.js';
import { getErrorCode, isUnanswered, UnansweredCommitError } from '../driver-error.js';

const CHECK_INTERVAL_MS = 1000;

/**
 * Counts commits of this role, because PostgreSQL hides the wait events of others. With a standby every
 * commit waits briefly, so those of other processes count only after a second.
 */
const WAITING_COMMITS = `
  SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND wait_event = 'SyncRep'
    AND query_start < clock_timestamp() - interval '1 second'`;

/**
 * PostgreSQL lets a commit wait for a synchronous standby indefinitely, and its connection stays open
 * on the server even if the client closes it. If every write did so, no connections would be left for
 * reads. So after an unanswered commit, no other begins until none is waiting. Waiting commits are not
 * cancelled: their changes would become visible, and be acknowledged to a client that repeats the
 * request, although no standby has them. On SQLite no commit waits.
 */
export class WaitingCommits {
  private readonly logger = new Logger(WaitingCommits.name);
  private known = false;
  private checkedAt = -Infinity;
  private readonly warning = new RareWarning(this.logger);
  private checking: Promise<void> | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Whether a commit is known to be waiting for a standby.
   *
   * @throws Error if the database is unavailable
   */
  async exist(): Promise<boolean> {
    if (this.known) await this.check();
    return this.known;
  }

  /** @throws CommitsWaitError if a write would have to wait too */
  async requireNone(): Promise<void> {
    if (await this.exist()) throw new CommitsWaitError();
  }

  /** Like `requireNone`, but uses only what this process already knows; called just before a commit. */
  requireNoneKnown(): void {
    if (this.known) throw new CommitsWaitError();
  }

  /** @returns whether the error means an unanswered commit, which is remembered */
  noteIfUnanswered(error: unknown): boolean {
    const unanswered =
      getErrorCode(error) === UnansweredCommitError.code ||
      (error instanceof QueryFailedError &&
        error.query === 'COMMIT' &&
        isUnanswered(error.driverError));
    if (unanswered) this.known = true;
    return unanswered;
  }

  private check(): Promise<void> {
    if (this.checking === undefined && performance.now() - this.checkedAt < CHECK_INTERVAL_MS) {
      return Promise.resolve();
    }
    this.checking ??= this.count().finally(() => {
      this.checking = undefined;
      this.checkedAt = performance.now();
    });
    return this.checking;
  }

  private async count(): Promise<void> {
    const [row] = await this.dataSource.query<{ count: number }[]>(WAITING_COMMITS);
    if (row?.count === 0) {
      this.known = false;
      this.logger.log('Commits no longer wait for a standby');
    } else {
      this.warning.log('Writes are refused while commits wait for a synchronous standby');
    }
  }
}
