import type { EntityManager } from 'typeorm';
import { isPostgres } from '../database/dialect.js';

/** The key that a request was made with. An ApiKeyPrincipal is one. */
export interface UsedKey {
  readonly id: string;
  readonly kbId: string;
  readonly environment: 'live' | 'test';
}

/** On SQLite, where there is one unit of work at a time. */
const EXISTING = 'SELECT id FROM knowledge_bases WHERE id IN (SELECT value FROM json_each(?))';
const LOCK_EXISTING =
  'SELECT id FROM knowledge_bases WHERE id = ANY ($1) ORDER BY id FOR KEY SHARE';

/**
 * Leaves out what is of a knowledge base that was removed meanwhile, and lets none of the others be
 * removed before what is written refers to it.
 */
export async function ofExisting<T extends { readonly key: UsedKey }>(
  manager: EntityManager,
  uses: readonly T[],
): Promise<T[]> {
  const ids = [...new Set(uses.map(({ key }) => key.kbId))];
  const rows = await (isPostgres(manager.dataSource)
    ? manager.query<{ id: string }[]>(LOCK_EXISTING, [ids])
    : manager.query<{ id: string }[]>(EXISTING, [JSON.stringify(ids)]));
  const existing = new Set(rows.map(({ id }) => id));
  return uses.filter(({ key }) => existing.has(key.kbId));
}
