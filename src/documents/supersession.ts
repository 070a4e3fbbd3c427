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
  let next: string | null = supersedes;
  for (let length = 0; next !== null && length < MAX_CHAIN; length++) {
    if (next === id) throw invalidField('supersedes', 'a document cannot supersede itself');
    const one: Document | null = await manager.findOneBy(Document, { id: next });
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
 * while the newer document is searchable, and from when it is valid.
 */
export async function updateSupersession(
  manager: EntityManager,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const newer = await manager.findBy(Document, { id: In([...ids]), supersedes: Not(IsNull()) });
  const older = await manager.findBy(Document, { supersededBy: In([...ids]) });
  const now = await databaseNow(manager);
  for (const one of older) {
    const stillTakes = newer.some(
      ({ id, supersedes, state, version }) =>
        id === one.supersededBy && supersedes === one.id && state === 'active' && version !== null,
    );
    if (!stillTakes) await change(manager, one, NOT_SUPERSEDED);
  }
  for (const { id, kbId, supersedes, state, version, validFrom } of newer) {
    if (supersedes === null || state !== 'active' || version === null) continue;
    const replaced = await manager.findOneBy(Document, { id: supersedes, kbId, state: 'active' });
    if (!replaced) continue;
    const since = replaced.supersededBy === id ? replaced.supersededAt : null;
    const supersededAt =
      validFrom && validFrom > now ? validFrom : since && since <= now ? since : now;
    if (replaced.supersededBy === id && Number(since) === Number(supersededAt)) continue;
    await change(manager, replaced, { supersededBy: id, supersededAt });
  }
}

/** Changes the validity of a document, and lets searches know. */
async function change(
  manager: EntityManager,
  { id, kbId }: Pick<Document, 'id' | 'kbId'>,
  columns: Pick<Document, 'supersededBy' | 'supersededAt'>,
): Promise<void> {
  await noteMetadataOfDocuments(manager, kbId);
  const { rulesVersion } = newRuleColumns;
  await manager.update(Document, { id, state: 'active' }, { ...columns, rulesVersion });
}
