import { Injectable } from '@nestjs/common';
import { EntityManager, In } from 'typeorm';
import { insertRows } from '../platform/database/insert-rows.js';
import { mergeRows } from '../usage/merge-rows.js';
import { type UsageEvent, type UsageWriter, WritesUsage } from '../usage/usage-recorder.js';
import { isTypeId } from '../platform/http/type-id.js';
import { ApiKeyActivity } from './api-key-activity.entity.js';
import { ApiKeyMisuse } from './api-key-misuse.js';
import { ApiKey } from './api-key.entity.js';
import { countUses } from './management-key-uses.js';

type ActivityRow = Omit<ApiKeyActivity, 'apiKey'>;

/**
 * Writes when and from which addresses keys were used, from the events of UsageRecorder. It has tables of
 * its own, so a late write can never undo a revocation, and it only increases what they hold.
 */
@Injectable()
@WritesUsage()
export class ApiKeyActivityWriter implements UsageWriter {
  constructor(private readonly misuse: ApiKeyMisuse) {}

  async writeUsage(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
    await writeActivity(manager, events);
    await this.misuse.notify(manager, events);
  }
}

async function writeActivity(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
  const keyEvents = events.filter((event) => event.kind !== 'query');
  const activity = await dropEventsOfRemovedKeys(
    manager,
    keyEvents.filter((event) => event.kind === 'use' || event.isKeyInactive),
  );
  const byKey = mergeRows(activity.map(toActivity), ({ apiKeyId }) => apiKeyId, mergeActivity);
  await insertRows(manager, ApiKeyActivity, byKey, MERGE_ACTIVITY);
  await countUses(
    manager,
    activity.filter(({ key }) => isTypeId('sa', key.kbId)),
  );
}

/** SQL: the new value of `column` if the new time in `clock` is not before the stored one. */
const unlessEarlier = (table: string, clock: string, column: string) =>
  `${column} = CASE WHEN excluded.${clock} >= COALESCE(${table}.${clock}, '0001-01-01')
     THEN excluded.${column} ELSE ${table}.${column} END`;

const MERGE_ACTIVITY = `ON CONFLICT (api_key_id) DO UPDATE SET
  refused_uses = api_key_activity.refused_uses + excluded.refused_uses,
  ${unlessEarlier('api_key_activity', 'last_used_at', 'last_used_at')},
  ${unlessEarlier('api_key_activity', 'last_used_at', 'last_ip')},
  ${unlessEarlier('api_key_activity', 'last_refused_at', 'last_refused_at')},
  ${unlessEarlier('api_key_activity', 'last_refused_at', 'last_refused_ip')}`;

export type ApiKeyEvent = Exclude<UsageEvent, { kind: 'query' }>;

/** Omits keys that were removed with their knowledge base meanwhile. */
async function dropEventsOfRemovedKeys(
  manager: EntityManager,
  events: readonly ApiKeyEvent[],
): Promise<ApiKeyEvent[]> {
  if (events.length === 0) return [];
  const found = await manager.find(ApiKey, {
    select: { id: true },
    where: { id: In([...new Set(events.map(({ key }) => key.id))]) },
    withDeleted: true,
  });
  const existing = new Set(found.map(({ id }) => id));
  return events.filter(({ key }) => existing.has(key.id));
}

const NO_ACTIVITY = {
  lastUsedAt: null,
  lastIp: null,
  refusedUses: 0,
  lastRefusedAt: null,
  lastRefusedIp: null,
};

const toActivity = (event: ApiKeyEvent): ActivityRow => ({
  apiKeyId: event.key.id,
  ...NO_ACTIVITY,
  ...(event.kind === 'use'
    ? { lastUsedAt: event.at, lastIp: event.ip }
    : { refusedUses: event.count, lastRefusedAt: event.at, lastRefusedIp: event.ip }),
});

function mergeActivity(stored: ActivityRow, row: ActivityRow): ActivityRow {
  const { lastUsedAt, lastIp, lastRefusedAt, lastRefusedIp } = row;
  return {
    ...stored,
    refusedUses: stored.refusedUses + row.refusedUses,
    ...(isLater(lastUsedAt, stored.lastUsedAt) && { lastUsedAt, lastIp }),
    ...(isLater(lastRefusedAt, stored.lastRefusedAt) && { lastRefusedAt, lastRefusedIp }),
  };
}

/** If both times are equal, the event that is merged last counts as the later one. */
const isLater = (time: Date | null, other: Date | null) =>
  time !== null && (other === null || time >= other);
