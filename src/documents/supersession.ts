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
 * while a newer document is searchable, and from when it is valid. Several may name the same older one.
 */
export async function updateSupersession(
  manager: EntityManager,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const newer = await manager.findBy(Document, { id: In([...ids]), supersedes: Not(IsNull()) });
  const left = await manager.findBy(Document, { supersededBy: In([...ids]) });
  const named = await manager.findBy(Document, {
    ...{ id: In(newer.flatMap(({ supersedes }) => supersedes ?? [])), state: 'active' },
  });
  const places = new Map([...left, ...named].map((document) => [document.id, document]));
  const now = await databaseNow(manager);
  for (const one of places.values()) {
    const takers = await manager.find(Document, {
      where: { kbId: one.kbId, supersedes: one.id, state: 'active', version: Not(IsNull()) },
      order: { id: 'ASC' },
    });
    const { supersededBy, supersededAt } = findTaker(one, takers, now);
    const isSame = Number(one.supersededAt) === Number(supersededAt);
    if (one.supersededBy === supersededBy && isSame) continue;
    await change(manager, one, { supersededBy, supersededAt });
  }
}

type Taken = Pick<Document, 'supersededBy' | 'supersededAt'>;

/** Finds who takes the place of a document: who has it, else another that is valid, else the first that will be. */
function findTaker(one: Taken, takers: readonly Document[], now: Date): Taken {
  const from = ({ validFrom }: Document) => (validFrom && validFrom > now ? validFrom : now);
  const first = Math.min(...takers.map((taker) => Number(from(taker))));
  const earliest = takers.filter((taker) => Number(from(taker)) === first);
  const taker = earliest.find(({ id }) => id === one.supersededBy) ?? earliest[0];
  if (!taker) return NOT_SUPERSEDED;
  const { supersededAt: since } = one;
  const hasTaken = taker.id === one.supersededBy && since !== null && since <= now;
  return {
    supersededBy: taker.id,
    supersededAt: hasTaken && from(taker) === now ? since : from(taker),
  };
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
