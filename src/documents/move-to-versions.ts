import { type EntityManager, In } from 'typeorm';
import { Document } from './document.entity.js';
import { Passage } from './passage.entity.js';

type Removed = Pick<Passage, 'number' | 'documentId' | 'version'>;

/**
 * Gives passages that no search finds any more to the former versions of their documents that are kept.
 *
 * @returns the numbers of those; the others belong to nothing
 */
export async function moveToVersions(
  manager: EntityManager,
  passages: readonly Removed[],
): Promise<ReadonlySet<number>> {
  const versionOf = In([...new Set(passages.map(({ documentId }) => documentId))]);
  const version = In([...new Set(passages.map((passage) => passage.version))]);
  const kept = await manager.find(Document, {
    select: { id: true, versionOf: true, version: true },
    where: { versionOf, version, state: 'kept' },
  });
  const moved = new Set<number>();
  for (const { id, versionOf: documentId, version: of } of kept) {
    const own = passages.filter((one) => one.documentId === documentId && one.version === of);
    const numbers = own.map(({ number }) => number);
    if (numbers.length === 0) continue;
    await manager.query(
      `DELETE FROM passage_vectors WHERE passage_number IN (${numbers.join(', ')})`,
    );
    await manager.update(Passage, { number: In(numbers) }, { documentId: id });
    for (const number of numbers) moved.add(number);
  }
  return moved;
}
