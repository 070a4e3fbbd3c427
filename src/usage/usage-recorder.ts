import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { causeOf, isDatabaseUnavailable } from '../database/database-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { BackgroundJob } from '../jobs/background-job.js';
import { type QueryEntry, recordUsage } from './record-usage.js';
import { addToRollUp } from './roll-up.js';
import { UsageRecord } from './usage-record.entity.js';
import { ofExistingKnowledgeBases, type UsedKey } from './used-key.js';

/** The API promises that a request is counted within five seconds. */
const FLUSH_INTERVAL_MS = 2000;
/** Events kept in memory while the database cannot be written: about 30 MB. */
const MAX_BUFFERED = 200_000;
/** Events in one transaction, for which other writes wait: SQLite writes 1,000 queries in 20 ms. */
const BATCH = 500;

/** A successful request of a key. */
export interface KeyUse {
  readonly kind: 'use';
  readonly key: UsedKey;
  readonly at: Date;
  readonly ip: string;
}

/** A request with an existing key that was refused. */
export interface KeyRefusal {
  readonly kind: 'refusal';
  readonly key: UsedKey;
  readonly at: Date;
  readonly ip: string;
  /** Whether the key was deactivated or deleted. */
  readonly isKeyInactive: boolean;
}

export type UsageEvent = QueryEntry | KeyUse | KeyRefusal;

/** Statuses that count as refusals of an existing key: revoked, expired, not allowed, over limit. */
export const isRefusal = (status: number): boolean => [401, 403, 429].includes(status);

export type EventWriter = (manager: EntityManager, events: readonly UsageEvent[]) => Promise<void>;

/**
 * Buffers usage events in memory and writes them every two seconds and at shutdown, so that a request
 * neither waits for the write nor fails with it. Events that cannot be written stay buffered until
 * the database is back. `kill -9` loses the events since the last write.
 */
@Injectable()
export class UsageRecorder extends BackgroundJob implements OnApplicationShutdown {
  private buffered: UsageEvent[] = [];
  /** Batches whose write failed. */
  private failed: UsageEvent[][] = [];
  private dropped = 0;
  private readonly writers: EventWriter[] = [];

  constructor(private readonly unitOfWork: UnitOfWork) {
    super(FLUSH_INTERVAL_MS);
  }

  /** Adds a writer, which runs in the transaction that counts the events. */
  register(writer: EventWriter): void {
    this.writers.push(writer);
  }

  record(event: UsageEvent): void {
    if (this.buffered.length + this.failed.length * BATCH < MAX_BUFFERED) this.buffered.push(event);
    else this.dropped++;
  }

  /** When Nest calls this hook, all requests are answered and the database is still open. */
  async onApplicationShutdown(): Promise<void> {
    await this.run();
  }

  protected override async run(): Promise<void> {
    const batches = [...this.failed, ...inBatches(this.buffered)];
    this.buffered = [];
    this.failed = [];
    if (this.dropped > 0) {
      this.logger.error(
        `${this.dropped} requests were not counted, because the buffer of usage events is full`,
      );
    }
    this.dropped = 0;
    for (const [index, batch] of batches.entries()) {
      try {
        await this.unitOfWork.run((manager) => this.write(manager, batch));
      } catch (error) {
        this.logger.error(error);
        // While the database is unavailable, the later batches would fail too.
        const isUnavailable = isDatabaseUnavailable(causeOf(error));
        this.failed.push(...(isUnavailable ? batches.slice(index) : [batch]));
        if (isUnavailable) return;
      }
    }
  }

  private async write(manager: EntityManager, batch: readonly UsageEvent[]): Promise<void> {
    const events = await ofExistingKnowledgeBases(manager, batch);
    // A connection lost during COMMIT leaves open whether the batch was written; its records tell.
    const query = events.find((event) => event.kind === 'query');
    if (query && (await manager.existsBy(UsageRecord, { id: query.id }))) return;
    // Counts are written last: their rows stay locked until the commit, and chats wait for them.
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
