import type { EntityManager } from 'typeorm';
import { endUserSubject, forgetBudgetCounts } from '../../knowledge-bases/budgets/budget-counts.js';
import { sqlParameter } from '../../platform/database/dialect.js';
import { endUserNumber, endUserNumberAsWritten } from './end-user-number.js';

const SUMS = ['requests', 'prompt_tokens', 'completion_tokens', 'cost'];
const KEY = 'kb_id, kind, quarter, environment, api_key_id';

/**
 * Adds to an end user's usage what a process of the previous version has counted for one spelling of their
 * name. The next message counts their budget again from it.
 */
export async function joinUsageAsWritten(
  manager: EntityManager,
  kbId: string,
  endUserId: string,
): Promise<void> {
  const [from, to] = [endUserNumberAsWritten(kbId, endUserId), endUserNumber(kbId, endUserId)];
  if (from === to) return;
  // The order is that in which an answer is counted, so that the two cannot deadlock.
  for (const number of [from, to]) {
    await forgetBudgetCounts(manager, kbId, endUserSubject(number));
  }
  const parameter = (index: number) => sqlParameter(manager.dataSource, index);
  const rows = (first: number) =>
    `FROM usage_members WHERE kind = 'end_user' AND kb_id = ${parameter(first)} AND member = ${parameter(first + 1)}`;
  await manager.query(
    `INSERT INTO usage_members (${KEY}, member, ${SUMS.join()})
     SELECT ${KEY}, CAST(${parameter(0)} AS varchar), ${SUMS.join()} ${rows(1)}
     ON CONFLICT (${KEY}, member) DO UPDATE
     SET ${SUMS.map((sum) => `${sum} = usage_members.${sum} + excluded.${sum}`).join()}`,
    [to, kbId, from],
  );
  await manager.query(`DELETE ${rows(0)}`, [kbId, from]);
}
