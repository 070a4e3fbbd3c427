import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { Document } from './document.entity.js';
import { KnowledgeBaseSize } from './knowledge-base-size.entity.js';

/**
 * Deletes former versions of documents, in a transaction that has locked the knowledge base and knows that it is
 * not under a legal hold. PassagePurge removes their rows and contents, as those of deleted documents.
 *
 * @returns how many
 */
export async function deleteVersions(
  manager: EntityManager,
  where: Pick<FindOptionsWhere<Document>, 'id' | 'versionOf'>,
): Promise<number> {
  const kept = { ...where, state: 'kept' } as const;
  const sizes = await manager
    .createQueryBuilder(Document, 'document')
    .select('document.kbId', 'kbId')
    .addSelect('SUM(document.sizeBytes)', 'bytes')
    .where(kept)
    .groupBy('document.kbId')
    .getRawMany<{ kbId: string; bytes: number | string }>();
  for (const { kbId, bytes } of sizes) {
    await manager.decrement(KnowledgeBaseSize, { kbId }, 'bytes', Number(bytes));
  }
  if (sizes.length === 0) return 0;
  const { affected } = await manager.update(Document, kept, { state: 'deactivated' });
  return affected ?? 0;
}
