import { EntityManager, In } from 'typeorm';
import { isPostgres } from '../database/dialect.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/** The key that a request was made with. An ApiKeyPrincipal is one. */
export interface UsedKey {
  readonly id: string;
  readonly kbId: string;
  readonly environment: 'live' | 'test';
}

/**
 * Leaves out what belongs to a knowledge base that was removed meanwhile, and locks the others, so
 * that none is removed before the rows that refer to it are written.
 */
export async function ofExistingKnowledgeBases<T extends { readonly key: UsedKey }>(
  manager: EntityManager,
  items: readonly T[],
): Promise<T[]> {
  const ids = [...new Set(items.map(({ key }) => key.kbId))];
  const found = await manager.find(KnowledgeBase, {
    select: { id: true },
    where: { id: In(ids) },
    order: { id: 'ASC' },
    // On SQLite there is one unit of work at a time.
    ...(isPostgres(manager.dataSource) && {
      lock: { mode: 'for_key_share' as const },
    }),
  });
  const existing = new Set(found.map(({ id }) => id));
  return items.filter(({ key }) => existing.has(key.kbId));
}
