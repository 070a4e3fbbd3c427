import { type EntityManager, In, IsNull, Not } from 'typeorm';
import { noteMetadataOfDocuments } from '../knowledge-bases/access-rules/access-rules.js';
import { newRuleColumns } from '../knowledge-bases/access-rules/new-rule.js';
import { databaseNow } from '../platform/database/database-now.js';
import { invalidField } from '../platform/problems/problem.js';
import { requireOrderedValidity, type ValidityColumns } from './document-validity.js';
import { Document } from './document.entity.js';

/** A chain of documents that take each other's place is followed so far. */
const MAX_CHAIN = 1000;
const NOT_SUPERSEDED = { supersededBy: null, supersededAt: null };

/**
 * Requires that a document may take the place of another one.
 *
 * @param id of the document; undefined for a new one
 * @throws Problem `validation_failed` if there is no such document, or if one would supersede itself
 */
async function requireSupersedable(
  manager: EntityManager,
  kbId: string,
  supersedes: string,
  id: string | undefined,
): Promise<void> {
  const isFound = await manager.existsBy(Document, { id: supersedes, kbId, state: 'active' });
  if (!isFound) {
    throw invalidField(
      'supersedes',
      'supersedes must be the id of a document of the knowledge base',
    );
  }
  // Nothing supersedes a document that is not there yet, so it closes no circle.
  if (id === undefined) return;
  let next: string | null = supersedes;
  for (let length = 0; next !== null && length < MAX_CHAIN; length++) {
    if (next === id) throw invalidField('supersedes', 'a document cannot supersede itself');
    const one: Pick<Document, 'supersedes'> | null = await manager.findOne(Document, {
      select: { id: true, supersedes: true },
      where: { id: next },
    });
    next = one?.supersedes ?? null;
  }
  if (next !== null) throw invalidField('supersedes', 'too many documents supersede each other');
}

/**
 * Requires that a validity, as it will be, has an order, and that the document to supersede can be superseded.
 *
 * @param existing the document that is changed; null for a new one
 * @throws Problem `validation_failed`
 */
export async function requireValidity(
  manager: EntityManager,
  kbId: string,
  columns: ValidityColumns,
  existing: Document | null,
): Promise<void> {
  requireOrderedValidity({ ...existing, ...columns });
  const { supersedes } = columns;
  if (typeof supersedes === 'string') {
    await requireSupersedable(manager, kbId, supersedes, existing?.id);
  }
}

/**
 * Brings up to date whose places documents take, after they were published, changed or deleted: a place is taken
 * while the newer document is searchable, and from when it is valid. Of several newer ones the first takes it.
 */
export async function updateSupersession(
  manager: EntityManager,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const id = In([...ids]);
  const newer = await manager.find(Document, {
    select: { id: true, kbId: true, supersedes: true },
    where: { id, supersedes: Not(IsNull()) },
  });
  const older = await manager.find(Document, {
    select: { id: true, kbId: true },
    where: { supersededBy: id },
  });
  const places = [...older, ...newer.map(({ kbId, supersedes }) => ({ kbId, id: supersedes }))];
  for (const [kbId, ofKb] of Map.groupBy(places, (place) => place.kbId)) {
    // Locks the knowledge base: another transaction may publish a document that takes the same place.
    await noteMetadataOfDocuments(manager, kbId);
    const now = await databaseNow(manager);
    for (const place of new Set(ofKb.map((one) => one.id))) {
      if (place !== null) await updatePlace(manager, { kbId, id: place }, now);
    }
  }
}

/** Changes who takes the place of a document, if anybody does, and lets searches know. */
async function updatePlace(
  manager: EntityManager,
  { kbId, id }: Pick<Document, 'kbId' | 'id'>,
  now: Date,
): Promise<void> {
  const where = { id, kbId, state: 'active' } as const;
  const older = await manager.findOneBy(Document, where);
  if (!older) return;
  const newer = await manager.find(Document, {
    select: { id: true, validFrom: true },
    where: { kbId, supersedes: id, state: 'active', version: Not(IsNull()) },
    order: { id: 'ASC' },
  });
  const since = (one: Pick<Document, 'id' | 'validFrom'>): Date => {
    if (one.validFrom && one.validFrom > now) return one.validFrom;
    const { supersededBy, supersededAt } = older;
    return supersededBy === one.id && supersededAt && supersededAt <= now ? supersededAt : now;
  };
  const [first] = newer
    .map((one) => ({ supersededBy: one.id, supersededAt: since(one) }))
    .sort((one, other) => Number(one.supersededAt) - Number(other.supersededAt));
  const { rulesVersion } = newRuleColumns;
  await manager.update(Document, where, { ...(first ?? NOT_SUPERSEDED), rulesVersion });
}
