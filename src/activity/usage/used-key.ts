import { EntityManager, In } from 'typeorm';
import { keyShareLock } from '../../platform/database/dialect.js';
import type { ApiKeyEnvironment } from '../../knowledge-bases/key-environment.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';

/** The key of a request. An ApiKeyPrincipal has these fields. */
export interface UsedKey {
  readonly id: string;
  /** The main knowledge base, or the service account. */
  readonly kbId: string;
  readonly environment: ApiKeyEnvironment;
}

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
