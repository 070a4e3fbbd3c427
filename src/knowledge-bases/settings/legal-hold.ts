import { type EntityManager, Raw } from 'typeorm';
import { lockRows } from '../../platform/database/dialect.js';
import { Problem } from '../../platform/problems/problem.js';
import { KnowledgeBase } from '../knowledge-base.entity.js';
import { KnowledgeBaseSettings } from './knowledge-base-settings.entity.js';

/** The ids of the knowledge bases under legal hold, in SQL. */
export const UNDER_LEGAL_HOLD = `SELECT kb_id FROM knowledge_base_settings
  WHERE CAST(settings -> 'legal_hold' AS text) = 'true'`;

/** For a column with the id of a knowledge base. */
export const NOT_UNDER_LEGAL_HOLD = Raw<string>(
  (column) => `${column} NOT IN (${UNDER_LEGAL_HOLD})`,
);

/**
 * For the transaction of a change by which something is lost, which has locked the knowledge base: a hold that is being set waits
 * for that lock.
 *
 * @throws Problem `legal_hold`
 */
export async function requireNoLegalHold(manager: EntityManager, kbId: string): Promise<void> {
  if (await isUnderLegalHold(manager, kbId)) throw new Problem('legal_hold');
}

export async function isUnderLegalHold(manager: EntityManager, kbId: string): Promise<boolean> {
  const row = await manager.findOneBy(KnowledgeBaseSettings, { kbId });
  return row?.settings.legal_hold === true;
}

/** The same for a transaction that has not locked the knowledge base, which may be a deleted one. */
export async function lockForErasure(manager: EntityManager, kbId: string): Promise<void> {
  await lockForHold(manager, kbId);
  await requireNoLegalHold(manager, kbId);
}

/** For a transaction that may find out later that it erases something: no hold begins or ends before its end. */
export async function lockForHold(manager: EntityManager, kbId: string): Promise<void> {
  const rows = manager.createQueryBuilder(KnowledgeBase, 'kb').select('kb.id').where({ id: kbId });
  await lockRows(rows).getOne();
}
