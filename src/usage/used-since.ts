import type { EntityManager } from 'typeorm';
import type { Amounts } from '../knowledge-bases/budgets/budget.js';
import { toQuarter } from './quarter.js';
import { UsageMember } from './usage-member.entity.js';

/** Reads what the keys of a rotation line have used since the quarter hour of `start`. */
export const usedByKeysSince = (
  manager: EntityManager,
  kbId: string,
  rotationRoot: string,
  start: Date,
): Promise<Amounts> =>
  usedSince(manager, start, {
    condition: `usage.kind = 'model' AND usage.kb_id = :kbId AND usage.api_key_id IN
      (SELECT id FROM api_keys WHERE owner_id = :kbId AND rotation_root = :rotationRoot)`,
    parameters: { kbId, rotationRoot },
  });

/**
 * Reads what an end user has used since the quarter hour of `start`. The kind is part of the SQL, because
 * SQLite would not use the partial index with a parameter.
 *
 * @param member see endUserNumber()
 */
export const usedByEndUserSince = (
  manager: EntityManager,
  kbId: string,
  member: string,
  start: Date,
): Promise<Amounts> =>
  usedSince(manager, start, {
    condition: `usage.kind = 'end_user' AND usage.kb_id = :kbId AND usage.member = :member`,
    parameters: { kbId, member },
  });

async function usedSince(
  manager: EntityManager,
  start: Date,
  filter: { readonly condition: string; readonly parameters: Record<string, string> },
): Promise<Amounts> {
  const sum = (sql: string) => `COALESCE(SUM(${sql}), 0)`;
  const row = await manager
    .createQueryBuilder(UsageMember, 'usage')
    .select(sum('usage.requests'), 'messages')
    .addSelect(sum('usage.prompt_tokens + usage.completion_tokens'), 'tokens')
    .addSelect(sum('usage.cost'), 'cost')
    .where(filter.condition, filter.parameters)
    .andWhere('usage.quarter >= :quarter', { quarter: toQuarter(start) })
    .getRawOne<Record<keyof Amounts, number | string>>();
  return {
    messages: Number(row?.messages),
    tokens: Number(row?.tokens),
    cost: Number(row?.cost),
  };
}
