import { type EntityManager, In } from 'typeorm';
import { deleteVersions } from '../../documents/delete-versions.js';
import { Document } from '../../documents/document.entity.js';

/** The number of versions that one transaction deletes. */
export const BATCH = 500;

/**
 * Deletes the oldest versions of a document, in a transaction as `deleteVersions` needs it: at most BATCH at
 * once.
 *
 * @param limit how many remain
 * @returns how many were deleted
 */
export async function deleteOldest(
  manager: EntityManager,
  versionOf: string,
  limit: number,
): Promise<number> {
  const where = { versionOf, state: 'kept' } as const;
  const excess = (await manager.countBy(Document, where)) - limit;
  if (excess <= 0) return 0;
  const oldest = await manager.find(Document, {
    select: { id: true },
    where,
    order: { contentNumber: 'ASC' },
    take: Math.min(excess, BATCH),
  });
  return deleteVersions(manager, { id: In(oldest.map(({ id }) => id)) });
}
