import type { EntityManager } from 'typeorm';
import { meaning } from '../platform/health/meaning.js';

/**
 * @returns by knowledge base, how many passages have a vector of the model in use: an index that
 * begins with both columns is enough for it
 */
export async function countVectors(
  manager: EntityManager,
  kbIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const model = meaning.model();
  if (model === undefined || kbIds.length === 0) return new Map();
  const rows = await manager
    .createQueryBuilder()
    .select('v.kb_id', 'kbId')
    .addSelect('COUNT(*)', 'count')
    .from('chunk_vectors', 'v')
    .where('v.kb_id IN (:...kbIds) AND v.model = :model', { kbIds, model })
    .groupBy('v.kb_id')
    .getRawMany<{ kbId: string; count: number | string }>();
  return new Map(rows.map(({ kbId, count }) => [kbId, Number(count)]));
}
