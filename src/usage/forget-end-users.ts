import type { EntityManager } from 'typeorm';
import { endUserNumber, nobodysNumber } from './end-users.js';
import { QUARTER_MS, QUARTERS_PER_DAY } from './quarters.js';
import { UsageEndUser } from './usage-end-user.entity.js';

const DAY_MS = QUARTER_MS * QUARTERS_PER_DAY;

/** Makes an end user nobody, who is still counted once. */
export const forgetEndUser = (
  manager: EntityManager,
  kbId: string,
  endUserId: string,
): Promise<void> => forget(manager, kbId, endUserNumber(kbId, endUserId));

/**
 * The same for those who were last asked for on a day before `time`, at most `limit` of them.
 *
 * @returns how many they were
 */
export async function forgetEndUsersBefore(
  manager: EntityManager,
  kbId: string,
  time: Date,
  limit: number,
): Promise<number> {
  const day = Math.floor(time.getTime() / DAY_MS);
  const gone = await manager
    .createQueryBuilder(UsageEndUser, 'usage')
    .select('usage.endUser', 'endUser')
    .where({ kbId })
    .andWhere('usage.endUser > 0')
    .groupBy('usage.endUser')
    .having('MAX(usage.day) < :day', { day })
    .limit(limit)
    .getRawMany<{ endUser: number }>();
  for (const { endUser } of gone) await forget(manager, kbId, endUser);
  return gone.length;
}

async function forget(manager: EntityManager, kbId: string, endUser: number): Promise<void> {
  await manager.update(UsageEndUser, { kbId, endUser }, { endUser: nobodysNumber() });
}
