import { EntityManager, In } from 'typeorm';
import { keyShareLock } from '../platform/database/dialect.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import type { UsedKey } from './key-use.js';

/**
 * Omits items of knowledge bases that were removed in the meantime, and locks the others until the
 * transaction ends, so that rows that refer to them can be written.
 */
export async function lockExistingKnowledgeBases<T extends { readonly key: UsedKey }>(
  manager: EntityManager,
  items: readonly T[],
): Promise<T[]> {
  const ids = [...new Set(items.map(({ key }) => key.kbId))];
  const found = await manager.find(KnowledgeBase, {
    select: { id: true },
    where: { id: In(ids) },
    order: { id: 'ASC' },
    ...keyShareLock(manager.dataSource),
  });
  const existing = new Set(found.map(({ id }) => id));
  return items.filter(({ key }) => existing.has(key.kbId));
}
