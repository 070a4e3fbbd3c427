import type { EntityManager } from 'typeorm';
import type { SearchStatus } from '../platform/health/search-status.js';

/** @returns by knowledge base, how many passages have a vector of the model in use */
export async function countVectors(
  manager: EntityManager,
  kbIds: readonly string[],
  { embeddings }: SearchStatus,
): Promise<ReadonlyMap<string, number>> {
  const model = embeddings?.model;
  if (model === undefined || kbIds.length === 0) return new Map();
  const rows = await manager
    .createQueryBuilder()
    .select('v.kb_id', 'kbId')
    .addSelect('v.vectors', 'vectors')
    .from('vector_counts', 'v')
    .where('v.kb_id IN (:...kbIds) AND v.model = :model', { kbIds, model })
    .getRawMany<{ kbId: string; vectors: number }>();
  return new Map(rows.map(({ kbId, vectors }) => [kbId, vectors]));
}
