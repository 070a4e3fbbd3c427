import type { Gauge } from 'prom-client';
import { Between, type DataSource, In, MoreThan } from 'typeorm';
import { classifyFailure, unwrapDriverError } from '../../platform/database/database-error.js';
import { isPostgres, lockName, rowLock } from '../../platform/database/dialect.js';
import { getErrorCode } from '../../platform/database/driver-error.js';
import type { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { JobRound } from '../../platform/jobs/job.js';
import type { Event } from './event.js';
import { EventPosition } from './event-position.entity.js';
import { type EventReader, type EventReaderOptions, EVENTS_LOCK } from './event-reader.js';
import { RecordedEvent } from './recorded-event.entity.js';

/** How often a process looks for events of other processes. */
export const POLL_INTERVAL_MS = 1000;
const MAX_EVENTS = 512;
/** Also those that the reader does not read. */
const MAX_POSITIONS = 10_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 5 * 60_000;
/** New writers of events wait this long at most, while a reader waits for those that are committing. */
const LOCK_TIMEOUT_MS = 100;
const LOCK_NOT_AVAILABLE = '55P03';

interface EventReaderGauges {
  readonly lag: Gauge<'reader'>;
  readonly age: Gauge<'reader'>;
}

/**
 * Gives a reader the events after its position, and moves it, in one transaction. The row of the position is
 * locked, so one process at a time does this.
 */
export class EventReaderJob {
  readonly name: string;
  /** The size of the next batch: after a failure one event, so that all before the failing one are read. */
  private batch = MAX_EVENTS;
  private failures = 0;
  private retryAt = -Infinity;

  constructor(
    private readonly reader: EventReader,
    private readonly options: EventReaderOptions,
    private readonly unitOfWork: UnitOfWork,
    private readonly dataSource: DataSource,
    private readonly gauges: EventReaderGauges,
  ) {
    this.name = options.name;
  }

  reads(actions: ReadonlySet<Event['action']>): boolean {
    return this.options.of?.some((action) => actions.has(action)) ?? true;
  }

  async readNew({ signal }: JobRound): Promise<void> {
    while (await this.isBehind()) {
      if (signal.aborted || performance.now() < this.retryAt) return;
      try {
        if (!(await this.readBatch())) return;
        this.failures = 0;
        this.batch = Math.min(this.batch * 2, MAX_EVENTS);
      } catch (error) {
        // The next round tries again when the database is back.
        if (['away', 'conflict'].includes(classifyFailure(error) ?? '')) throw error;
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.failures, MAX_PAUSE_MS);
        this.failures++;
        this.batch = 1;
        this.retryAt = performance.now() + pauseMs;
        const message = `Event reader ${this.name} failed; it tries again in ${pauseMs / 1000} s`;
        throw new Error(message, { cause: error });
      }
    }
  }

  /** Measures whether there are events to read. */
  private async isBehind(): Promise<boolean> {
    const { manager } = this.dataSource;
    const { name } = this;
    const last = (await manager.maximum(RecordedEvent, 'seq')) ?? 0;
    const { position } = (await manager.findOneBy(EventPosition, { name })) ?? { position: last };
    const lag = Math.max(0, last - position);
    this.gauges.lag.set({ reader: name }, lag);
    if (lag === 0) {
      this.gauges.age.set({ reader: name }, 0);
      return false;
    }
    const oldest = await manager.findOne(RecordedEvent, {
      select: { seq: true, createdAt: true },
      where: { seq: MoreThan(position) },
      order: { seq: 'ASC' },
    });
    const ageMs = oldest ? Math.max(0, Date.now() - oldest.createdAt.getTime()) : 0;
    this.gauges.age.set({ reader: name }, ageMs / 1000);
    return true;
  }

  /** @returns false if another process is reading, or no further event can be read yet */
  private async readBatch(): Promise<boolean> {
    const last = await this.findLastFinal();
    if (last === undefined) return false;
    return this.unitOfWork.run(async (manager) => {
      const { name } = this;
      const stored = await manager.findOne(EventPosition, {
        where: { name },
        ...rowLock(manager.dataSource, 'skip_locked'),
      });
      if (!stored || stored.position >= last) return false;
      const end = Math.min(last, stored.position + MAX_POSITIONS);
      const { of } = this.options;
      const events = await manager.find(RecordedEvent, {
        where: { seq: Between(stored.position + 1, end), ...(of && { action: In(of) }) },
        order: { seq: 'ASC' },
        take: this.batch,
      });
      if (events.length > 0) await this.reader.read(manager, events);
      const position = events.length === this.batch ? events.at(-1)?.seq : end;
      await manager.update(EventPosition, { name }, { position });
      return true;
    });
  }

  /**
   * Finds the last position up to which every transaction has ended. On PostgreSQL, one that has a lower
   * position may commit later than one with a higher position, so this waits for those that are writing.
   *
   * @returns undefined if they take too long
   */
  private async findLastFinal(): Promise<number | undefined> {
    const { manager } = this.dataSource;
    if (!isPostgres(this.dataSource)) return (await manager.maximum(RecordedEvent, 'seq')) ?? 0;
    try {
      return await this.unitOfWork.run(async (manager) => {
        await manager.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await lockName(manager, EVENTS_LOCK);
        return (await manager.maximum(RecordedEvent, 'seq')) ?? 0;
      });
    } catch (error) {
      if (getErrorCode(unwrapDriverError(error)) === LOCK_NOT_AVAILABLE) return undefined;
      throw error;
    }
  }
}
