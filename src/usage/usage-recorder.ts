import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { causeOf, isDatabaseUnavailable } from '../database/database-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { BackgroundJob } from '../jobs/background-job.js';
import { type QueryEntry, recordUsage } from './record-usage.js';
import { addToRollUp } from './roll-up.js';
import { UsageRecord } from './usage-record.entity.js';
import { ofExistingKnowledgeBases, type UsedKey } from './used-key.js';

/** The contract promises that a use is reported within five seconds. */
const FLUSH_INTERVAL_MS = 2000;
/** What waits in memory while the database cannot be written: about 30 MB. */
const MAX_WAITING = 200_000;
/** Events in one transaction: on SQLite, 1,000 queries take 20 ms, for which other requests wait. */
const BATCH = 500;

/** A successful request of a key. */
export interface KeyUse {
  readonly kind: 'use';
  readonly key: UsedKey;
  readonly at: Date;
  readonly ip: string;
}

/** A request that was refused although its key is a real one. */
export interface KeyRefusal {
  readonly kind: 'refusal';
  readonly key: UsedKey;
  readonly at: Date;
  readonly ip: string;
  /** Whether the key was deactivated or deleted. */
  readonly isKeyInactive: boolean;
}

export type UsageEvent = QueryEntry | KeyUse | KeyRefusal;

/** The statuses that count as refusals when the key is a real one: used up, expired, from elsewhere. */
export const isRefusal = (status: number): boolean => [401, 403, 429].includes(status);

export type EventWriter = (manager: EntityManager, events: readonly UsageEvent[]) => Promise<void>;

/**
 * Collects what requests leave behind and writes it every two seconds and at the shutdown, so that
 * a request neither waits for its record nor fails without it. A kill -9 loses what was collected
 * since the last write. What could not be written is kept and written later.
 */
@Injectable()
export class UsageRecorder extends BackgroundJob implements OnApplicationShutdown {
  private waiting: UsageEvent[] = [];
  private failed: UsageEvent[][] = [];
  private dropped = 0;
  private readonly writers: EventWriter[] = [];

  constructor(private readonly unitOfWork: UnitOfWork) {
    super(FLUSH_INTERVAL_MS);
  }

  /** Adds what is written of each event, in the same transaction as its counts. */
  register(writer: EventWriter): void {
    this.writers.push(writer);
  }

  record(event: UsageEvent): void {
    if (this.waiting.length + this.failed.length * BATCH < MAX_WAITING) this.waiting.push(event);
    else this.dropped++;
  }

  /** By now the last requests have been answered, and the database is still open. */
  async onApplicationShutdown(): Promise<void> {
    await this.run();
  }

  protected override async run(): Promise<void> {
    const batches = [...this.failed, ...inBatches(this.waiting)];
    this.waiting = [];
    this.failed = [];
    if (this.dropped > 0) {
      this.logger.error(`${this.dropped} requests are not counted: too many wait to be written`);
    }
    this.dropped = 0;
    for (const [index, batch] of batches.entries()) {
      try {
        await this.unitOfWork.run((manager) => this.write(manager, batch));
      } catch (error) {
        this.logger.error(error);
        // Later batches would only wait for the same database.
        const isUnavailable = isDatabaseUnavailable(causeOf(error));
        this.failed.push(...(isUnavailable ? batches.slice(index) : [batch]));
        if (isUnavailable) return;
      }
    }
  }

  private async write(manager: EntityManager, batch: readonly UsageEvent[]): Promise<void> {
    const events = await ofExistingKnowledgeBases(manager, batch);
    // When the connection is lost during the commit, only the records tell whether it happened.
    const query = events.find((event) => event.kind === 'query');
    if (query && (await manager.existsBy(UsageRecord, { id: query.id }))) return;
    // Counts come last, because chats wait for them.
    for (const writer of [...this.writers, writeCounts]) await writer(manager, events);
  }
}

async function writeCounts(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
  await recordUsage(
    manager,
    events.filter((event) => event.kind === 'query'),
  );
  const refusals = events.filter(({ kind }) => kind === 'refusal');
  await addToRollUp(
    manager,
    refusals.map(({ key, at }) => ({ key, at, counts: { refused: 1 } })),
  );
}

function* inBatches(events: readonly UsageEvent[]): Generator<UsageEvent[]> {
  for (let start = 0; start < events.length; start += BATCH) {
    yield events.slice(start, start + BATCH);
  }
}
