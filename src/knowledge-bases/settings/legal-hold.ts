import { type EntityManager, Raw } from 'typeorm';
import { lockRows } from '../../platform/database/dialect.js';
import { Problem } from '../../platform/problems/problem.js';
import { KnowledgeBase } from '../knowledge-base.entity.js';
import { KnowledgeBaseSettings } from './knowledge-base-settings.entity.js';

/** SQL: the ids of the knowledge bases under legal hold. */
export const UNDER_LEGAL_HOLD = `SELECT kb_id FROM knowledge_base_settings
  WHERE CAST(settings -> 'legal_hold' AS text) = 'true'`;

/** A condition for a column with the id of a knowledge base. */
export const NOT_UNDER_LEGAL_HOLD = Raw<string>(
  (column) => `${column} NOT IN (${UNDER_LEGAL_HOLD})`,
);

/**
 * Refuses a change that destroys data. Its transaction must have locked the knowledge base, for which
 * setting a hold waits.
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

/** Locks the knowledge base, which may be deleted, and refuses to destroy data under a legal hold. */
export async function lockForErasure(manager: EntityManager, kbId: string): Promise<void> {
  await lockForHold(manager, kbId);
  await requireNoLegalHold(manager, kbId);
}

/**
 * Locks the knowledge base for a transaction that may erase something later: no hold begins or ends before
 * it does.
 */
export async function lockForHold(manager: EntityManager, kbId: string): Promise<void> {
  const rows = manager.createQueryBuilder(KnowledgeBase, 'kb').select('kb.id').where({ id: kbId });
  await lockRows(rows).getOne();
}
