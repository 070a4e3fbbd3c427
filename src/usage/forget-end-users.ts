import type { EntityManager } from 'typeorm';
import { endUserNumber, nobodysNumber } from './end-users.js';
import { quarterOf } from './quarters.js';
import { UsageEndUser } from './usage-end-user.entity.js';

/** Makes an end user nobody, who is still counted once. */
export const forgetEndUser = (
  manager: EntityManager,
  kbId: string,
  endUserId: string,
): Promise<void> => forget(manager, kbId, endUserNumber(kbId, endUserId));

/**
 * The same for those who were last asked for in a quarter of an hour before that of `time`, at most
 * `limit` of them.
 *
 * @returns how many they were
 */
export async function forgetEndUsersBefore(
  manager: EntityManager,
  kbId: string,
  time: Date,
  limit: number,
): Promise<number> {
  const gone = await manager
    .createQueryBuilder(UsageEndUser, 'usage')
    .select('usage.endUser', 'endUser')
    .where({ kbId })
    .andWhere('usage.endUser > 0')
    .groupBy('usage.endUser')
    .having('MAX(usage.quarter) < :quarter', { quarter: quarterOf(time) })
    .limit(limit)
    .getRawMany<{ endUser: number }>();
  for (const { endUser } of gone) await forget(manager, kbId, endUser);
  return gone.length;
}

async function forget(manager: EntityManager, kbId: string, endUser: number): Promise<void> {
  await manager.update(UsageEndUser, { kbId, endUser }, { endUser: nobodysNumber() });
}
