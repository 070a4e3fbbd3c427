import { Injectable, Logger, OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { classifyFailure } from '../platform/database/database-error.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Job } from '../platform/jobs/job.js';
import { isTypeId } from '../platform/http/type-id.js';
import { declareProviders } from '../platform/discovery/declared-providers.js';
import { toQuarter } from './quarter.js';
import { type QueryEntry, recordUsage } from './record-usage.js';
import { addToQuarters, requestKey } from './usage-counts.js';
import { UsageCount } from './usage-count.entity.js';
import { countMembers, type MemberRow, NO_COST } from './usage-members.js';
import type { KeyRefusal, KeyUse } from './key-use.js';
import { lockExistingKnowledgeBases } from './used-key.js';

/** The API promises to count a request within five seconds. */
const FLUSH_INTERVAL_MS = 2000;
/** The number of queries and uses kept in memory while the database cannot be written: about 30 MB. */
const MAX_BUFFERED = 200_000;
/**
 * The number of events in one transaction, for which other writes wait: SQLite writes 1,000 queries in 20
 * ms.
 */
const BATCH = 500;

export type UsageEvent = QueryEntry | KeyUse | KeyRefusal;

export interface UsageWriter {
  writeUsage(manager: EntityManager, events: readonly UsageEvent[]): Promise<void>;
}

/** Declares a provider that writes more of the events, in the transaction that counts them. */
export const WritesUsage = declareProviders<UsageWriter>();

/**
 * Buffers usage events in memory and writes them every two seconds and at shutdown, so that a request
 * neither waits for the write nor fails with it. Events that cannot be written stay buffered until the
 * database is back. `kill -9` loses the events since the last write.
 */
@Injectable()
export class UsageRecorder implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(UsageRecorder.name);
  private buffered: QueryEntry[] = [];
  /** Uses and refusals are added up, because a client can cause thousands of them per second. */
  private readonly sums = new Map<string, KeyUse | KeyRefusal>();
  /** Batches whose write failed. */
  private failed: UsageEvent[][] = [];
  /** The number of queries in memory. */
  private bufferedCount = 0;
  private dropped = 0;
  private writers: readonly UsageWriter[] = [];

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.writers = WritesUsage.find(this.discovery).map(({ instance }) => instance);
  }

  record(event: UsageEvent): void {
    if (event.kind !== 'query') this.addUp(event);
    else if (this.bufferedCount === MAX_BUFFERED) this.dropped++;
    else {
      this.bufferedCount++;
      this.buffered.push(event);
    }
  }

  /**
   * Writes the remaining events. When Nest calls this hook, all requests are answered and the database is
   * still open.
   */
  async onApplicationShutdown(): Promise<void> {
    await this.writeAll();
  }

  @Job({ every: FLUSH_INTERVAL_MS })
  async writeAll(): Promise<void> {
    if (this.dropped > 0) {
      this.logger.error(
        `${this.dropped} requests were not counted, because the buffer of usage events is full`,
      );
      this.dropped = 0;
    }
    const failed = this.failed.splice(0);
    for (;;) {
      const batch = failed.shift() ?? this.nextBatch();
      if (batch.length === 0 || !(await this.commit(batch))) break;
    }
    this.failed = [...this.failed, ...failed];
  }

  private addUp(event: KeyUse | KeyRefusal): void {
    const part = event.kind === 'use' ? event.ip : String(event.isKeyInactive);
    const agent = event.kind === 'use' ? (event.connectionId ?? '') : '';
    const name = `${event.kind} ${event.key.id} ${toQuarter(event.at)} ${part} ${agent}`;
    const sum = this.sums.get(name);
    if (!sum && this.sums.size === MAX_BUFFERED) this.dropped++;
    else {
      // An event is recorded when its request was answered, so an earlier one may come later.
      const last = sum && sum.at > event.at ? sum : event;
      this.sums.set(name, { ...last, count: (sum?.count ?? 0) + event.count });
    }
  }

  /** Queries have batches of their own, because a transaction adds to the counts in one statement. */
  private nextBatch(): UsageEvent[] {
    if (this.buffered.length > 0) return this.buffered.splice(0, BATCH);
    const sums = [...this.sums].slice(0, BATCH);
    for (const [name] of sums) this.sums.delete(name);
    return sums.map(([, sum]) => sum);
  }

  /** @returns whether others may be tried: not when they would only wait for the same database */
  private async commit(batch: UsageEvent[]): Promise<boolean> {
    try {
      await this.unitOfWork.run((manager) => this.write(manager, batch));
      if (batch[0]?.kind === 'query') this.bufferedCount -= batch.length;
      return true;
    } catch (error) {
      this.logger.error(error);
      this.failed.push(batch);
      return classifyFailure(error) === undefined;
    }
  }

  private async write(manager: EntityManager, batch: readonly UsageEvent[]): Promise<void> {
    const events = await lockExistingKnowledgeBases(manager, batch);
    // If the connection is lost during the commit, only the row of a query shows whether the commit
    // happened. A batch without a query is then counted twice.
    const query = events.find((event) => event.kind === 'query');
    if (query && (await manager.existsBy(UsageCount, requestKey(query)))) return;
    // Counts are written last, because their rows stay locked until the commit, and chats wait for them.
    const written = [...events, ...batch.filter(isOfServiceAccount)];
    for (const writer of this.writers) await writer.writeUsage(manager, written);
    await writeCounts(manager, events);
  }
}

/**
 * Whether the key belongs to a service account, which has no knowledge base whose requests could be
 * counted.
 */
const isOfServiceAccount = ({ key }: UsageEvent): boolean => isTypeId('sa', key.kbId);

async function writeCounts(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
  await recordUsage(
    manager,
    events.filter((event) => event.kind === 'query'),
  );
  const uses = events.filter((event) => event.kind === 'use');
  await countMembers(manager, uses.map(toAddress));
  const keyEvents = events.filter((event) => event.kind !== 'query');
  await addToQuarters(
    manager,
    keyEvents.map(({ kind, key, at, count }) => ({
      ...{ key, at },
      counts: kind === 'use' ? { uses: count } : { refused: count },
    })),
  );
}

const toAddress = ({ key, at, ip, count }: KeyUse): MemberRow => ({
  kbId: key.kbId,
  kind: 'address',
  quarter: toQuarter(at),
  environment: key.environment,
  apiKeyId: key.id,
  member: ip,
  requests: count,
  ...NO_COST,
});
