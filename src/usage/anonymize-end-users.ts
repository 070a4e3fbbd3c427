import type { EntityManager } from 'typeorm';
import { endUserSubject, forgetBudgetCounts } from '../knowledge-bases/budgets/budget-counts.js';
import { anonymousNumber, endUserNumber } from './end-user-number.js';
import { toQuarter } from './quarter.js';
import { UsageMember } from './usage-member.entity.js';

/** The kind is part of the SQL, because SQLite would not use the partial index with a parameter. */
const OF_END_USERS = `kind = 'end_user' AND kb_id = :kbId`;

/** Replaces an end user by an anonymous one, who still counts once. Their budget starts again. */
export async function anonymizeEndUser(
  manager: EntityManager,
  kbId: string,
  endUserId: string,
): Promise<void> {
  const number = endUserNumber(kbId, endUserId);
  // The order is that in which an answer is counted, so that the two cannot deadlock.
  await forgetBudgetCounts(manager, kbId, endUserSubject(number));
  await anonymize(manager, kbId, number);
}

/**
 * Anonymizes end users, at most `limit` of them, whose last quarter of an hour is before that of `time`.
 * Their use of a budget is counted until its period ends.
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
    .createQueryBuilder(UsageMember, 'usage')
    .select('usage.member', 'member')
    .where(OF_END_USERS, { kbId })
    .andWhere(`usage.member NOT LIKE '-%'`)
    .groupBy('usage.member')
    .having('MAX(usage.quarter) < :quarter', { quarter: toQuarter(time) })
    .limit(limit)
    .getRawMany<{ member: string }>();
  for (const { member } of found) await anonymize(manager, kbId, member);
  return found.length;
}

async function anonymize(manager: EntityManager, kbId: string, member: string): Promise<void> {
  await manager
    .createQueryBuilder()
    .update(UsageMember)
    .set({ member: anonymousNumber() })
    .where(`${OF_END_USERS} AND member = :member`, { kbId, member })
    .execute();
}
