import { EntityManager, In } from 'typeorm';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/** The key that a request was made with. An ApiKeyPrincipal is one. */
export interface UsedKey {
  readonly id: string;
  readonly kbId: string;
  readonly environment: 'live' | 'test';
}

/**
 * Leaves out what is of a knowledge base that was removed meanwhile, and lets none of the others be
 * removed before what is written refers to it.
 */
export async function ofExisting<T extends { readonly key: UsedKey }>(
  manager: EntityManager,
  uses: readonly T[],
): Promise<T[]> {
  const knowledgeBases = manager
    .createQueryBuilder(KnowledgeBase, 'kb')
    .select('kb.id', 'id')
    .where({ id: In([...new Set(uses.map(({ key }) => key.kbId))]) })
    .orderBy('kb.id');
  // On SQLite there is one unit of work at a time.
  if (manager.dataSource.options.type === 'postgres') knowledgeBases.setLock('for_key_share');
  const rows = await knowledgeBases.getRawMany<{ id: string }>();
  const existing = new Set(rows.map(({ id }) => id));
  return uses.filter(({ key }) => existing.has(key.kbId));
}
