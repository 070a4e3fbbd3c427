import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { EntityManager, In, LessThan } from 'typeorm';
import { upsert } from '../database/upsert.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ApiKeyActivity } from './api-key-activity.entity.js';
import { ApiKeyAddress } from './api-key-address.entity.js';
import { ApiKeyHour } from './api-key-hour.entity.js';
import { ApiKey } from './api-key.entity.js';

const FLUSH_INTERVAL_MS = 2000;
const HOUR_MS = 60 * 60 * 1000;
/** How long hourly counts and addresses are kept. */
const RETENTION_MS = 31 * 24 * HOUR_MS;
/** What one key's addresses may take in memory between two flushes. */
const MAX_ADDRESSES = 1000;
/** Keys in one transaction. */
const BATCH = 1000;

/** What happened to one key since the last flush. */
interface Activity {
  readonly requests: Map<number, number>;
  readonly addresses: Map<string, Date>;
  lastUse?: { at: Date; ip: string };
  refusals: number;
  lastRefusal?: { at: Date; ip: string };
}

/**
 * Collects when and from where keys are used, and writes it down every two seconds and at the stop:
 * in one transaction, however many requests there were. It writes to tables of its own and only
 * ever adds up or moves forward, so that processes do not disturb each other.
 */
@Injectable()
export class UsageRecorder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(UsageRecorder.name);
  private pending = new Map<string, Activity>();
  private flushing: Promise<void> = Promise.resolve();
  private timer?: NodeJS.Timeout;
  private lastCleanup = 0;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  recordUse(keyId: string, at: Date, ip: string): void {
    const activity = this.activityOf(keyId);
    const hour = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS;
    activity.requests.set(hour, (activity.requests.get(hour) ?? 0) + 1);
    if (activity.addresses.has(ip) || activity.addresses.size < MAX_ADDRESSES) {
      activity.addresses.set(ip, at);
    }
    activity.lastUse = { at, ip };
  }

  /** A try with a key that was revoked or deleted. */
  recordRefusal(keyId: string, at: Date, ip: string): void {
    const activity = this.activityOf(keyId);
    activity.refusals++;
    activity.lastRefusal = { at, ip };
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
  }

  /** By now the last requests have been answered, and the database is still open. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  private flush(): Promise<void> {
    this.flushing = this.flushing.then(() => this.writeDown());
    return this.flushing;
  }

  private async writeDown(): Promise<void> {
    const collected = [...this.pending].sort(([a], [b]) => (a < b ? -1 : 1));
    this.pending = new Map();
    for (let start = 0; start < collected.length; start += BATCH) {
      const batch = new Map(collected.slice(start, start + BATCH));
      try {
        await this.unitOfWork.run((manager) => write(manager, batch));
      } catch (error) {
        this.logger.error(error);
        this.keep(batch);
      }
    }
    await this.forgetOld();
  }

  /** Hourly; apart from the uses, which must not wait for it. */
  private async forgetOld(): Promise<void> {
    const now = Date.now();
    if (now - this.lastCleanup < HOUR_MS) return;
    this.lastCleanup = now;
    const old = LessThan(new Date(now - RETENTION_MS));
    try {
      await this.unitOfWork.run(async (manager) => {
        await manager.delete(ApiKeyHour, { hour: old });
        await manager.delete(ApiKeyAddress, { lastUsedAt: old });
      });
    } catch (error) {
      this.logger.error(error);
    }
  }

  /** Puts back what could not be written, under what came since. */
  private keep(collected: Map<string, Activity>): void {
    for (const [keyId, earlier] of collected) {
      const activity = this.activityOf(keyId);
      for (const [hour, count] of earlier.requests) {
        activity.requests.set(hour, (activity.requests.get(hour) ?? 0) + count);
      }
      for (const [ip, at] of earlier.addresses) {
        if (activity.addresses.size === MAX_ADDRESSES) break;
        if (!activity.addresses.has(ip)) activity.addresses.set(ip, at);
      }
      activity.refusals += earlier.refusals;
      activity.lastUse ??= earlier.lastUse;
      activity.lastRefusal ??= earlier.lastRefusal;
    }
  }

  private activityOf(keyId: string): Activity {
    let activity = this.pending.get(keyId);
    if (!activity) {
      activity = { requests: new Map(), addresses: new Map(), refusals: 0 };
      this.pending.set(keyId, activity);
    }
    return activity;
  }
}

async function write(manager: EntityManager, collected: Map<string, Activity>): Promise<void> {
  // A knowledge base that was deleted meanwhile has taken its keys along.
  const existing = await manager.find(ApiKey, {
    select: { id: true },
    where: { id: In([...collected.keys()]) },
    withDeleted: true,
    // One order, so that two processes do not wait for each other in a circle.
    order: { id: 'ASC' },
  });
  const entries = existing.flatMap(({ id: apiKeyId }) => {
    const activity = collected.get(apiKeyId);
    return activity ? [{ apiKeyId, ...activity }] : [];
  });
  await upsert(
    manager,
    ApiKeyActivity,
    entries.map(({ apiKeyId, lastUse, lastRefusal, refusals }) => ({
      apiKeyId,
      lastUsedAt: lastUse?.at ?? null,
      lastIp: lastUse?.ip ?? null,
      refusedUses: refusals,
      lastRefusedAt: lastRefusal?.at ?? null,
      lastRefusedIp: lastRefusal?.ip ?? null,
    })),
    {
      refused_uses: 'api_key_activity.refused_uses + excluded.refused_uses',
      last_used_at: ifLater('api_key_activity', 'last_used_at', 'last_used_at'),
      last_ip: ifLater('api_key_activity', 'last_used_at', 'last_ip'),
      last_refused_at: ifLater('api_key_activity', 'last_refused_at', 'last_refused_at'),
      last_refused_ip: ifLater('api_key_activity', 'last_refused_at', 'last_refused_ip'),
    },
  );
  await upsert(
    manager,
    ApiKeyHour,
    entries.flatMap(({ apiKeyId, requests }) =>
      [...requests].map(([hour, count]) => ({ apiKeyId, hour: new Date(hour), requests: count })),
    ),
    { requests: 'api_key_hours.requests + excluded.requests' },
  );
  await upsert(
    manager,
    ApiKeyAddress,
    entries.flatMap(({ apiKeyId, addresses }) =>
      [...addresses].map(([ip, lastUsedAt]) => ({ apiKeyId, ip, lastUsedAt })),
    ),
    { last_used_at: ifLater('api_key_addresses', 'last_used_at', 'last_used_at') },
  );
}

/** SQL: the new value of `column` when the new `clock` is later than the old one. */
const ifLater = (table: string, clock: string, column: string) =>
  `CASE WHEN excluded.${clock} > COALESCE(${table}.${clock}, '0001-01-01')
     THEN excluded.${column} ELSE ${table}.${column} END`;
