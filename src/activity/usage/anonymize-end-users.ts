import type { EntityManager } from 'typeorm';
import { anonymousId, endUserNumber } from './end-user-number.js';
import { quarterOf } from './quarter.js';
import { UsageEndUser } from './usage-end-user.entity.js';

/** Replaces an end user by an anonymous one, who is still counted once. */
export const anonymizeEndUser = (
  manager: EntityManager,
  kbId: string,
  endUserId: string,
): Promise<void> => anonymize(manager, kbId, endUserNumber(kbId, endUserId));

/**
 * The same for those whose last quarter of an hour is before that of `time`, at most `limit` of
 * them.
 *
 * @returns how many they were
 */
export async function anonymizeEndUsersBefore(
  manager: EntityManager,
  kbId: string,
  time: Date,
  limit: number,
): Promise<number> {
  const found = await manager
    .createQueryBuilder(UsageEndUser, 'usage')
    .select('usage.endUser', 'endUser')
    .where({ kbId })
    .andWhere('usage.endUser > 0')
    .groupBy('usage.endUser')
    .having('MAX(usage.quarter) < :quarter', { quarter: quarterOf(time) })
    .limit(limit)
    .getRawMany<{ endUser: number }>();
  for (const { endUser } of found) await anonymize(manager, kbId, endUser);
  return found.length;
}

async function anonymize(manager: EntityManager, kbId: string, endUser: number): Promise<void> {
  await manager.update(UsageEndUser, { kbId, endUser }, { endUser: anonymousId() });
}
