import { type EntityManager, type FindOptionsWhere, In, Raw } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import type { Change, Occurrence } from '../knowledge-bases/events/event.js';
import { Document, type DocumentState, type DocumentStatus } from './document.entity.js';
import { requireConsistent, type StatusTransition } from './transition-check.js';

/** `deleted` stands for the state `deactivated`; the rows are deleted later, in the background. */
type LifecycleStatus = DocumentStatus | 'deleted';

const NOT_DELETED = ['pending', 'processing', 'ready', 'failed'] as const;

/**
 * Every change of a document's status. A transition with an `action`, made by a user, records an audit
 * event; one with an `event` records that. A document with a `version` is searchable in every status except
 * `deleted`.
 */
export const DOCUMENT_TRANSITIONS = {
  replace: { from: NOT_DELETED, to: 'pending', action: 'document.replaced' },
  restore: { from: NOT_DELETED, to: 'pending', action: 'document.restored' },
  reindex: { from: NOT_DELETED, to: 'pending', action: 'document.reindexed' },
  reindexAll: { from: NOT_DELETED, to: 'pending', action: 'knowledge_base.reindexed' },
  changeTitle: { from: NOT_DELETED, to: 'pending', action: 'document.updated' },
  delete: { from: NOT_DELETED, to: 'deleted', action: 'document.deleted' },
  /** Records no event of its own: the deletion of the knowledge base has one. */
  deleteWithKnowledgeBase: { from: NOT_DELETED, to: 'deleted' },
  /** Records no event of its own: the deletion of the source has one. */
  deleteWithSource: { from: NOT_DELETED, to: 'deleted' },
  /** From `processing` if the lease of another process has expired. */
  lease: { from: ['pending', 'processing'], to: 'processing' },
  publish: { from: ['processing'], to: 'ready', event: 'document.ready' },
  /** The text read so far is searchable; some pages still await recognition. */
  publishPart: { from: ['processing'], to: 'pending' },
  fail: { from: ['processing'], to: 'failed', event: 'document.failed' },
  requeue: { from: ['processing'], to: 'pending' },
} as const satisfies Record<
  string,
  StatusTransition<LifecycleStatus> & { action?: Change; event?: Occurrence }
>;

requireConsistent<LifecycleStatus>(
  DOCUMENT_TRANSITIONS,
  [...NOT_DELETED, 'deleted'],
  'pending',
  'deleted',
);

/** A literal, not a parameter, as in the condition of the partial index on documents of sources. */
export const ACTIVE = Raw<DocumentState>((column) => `${column} = 'active'`);

/** Further columns that a transition changes. */
export type DocumentColumns = Omit<QueryDeepPartialEntity<Document>, 'status' | 'state'>;

export const NO_ERROR = { errorCode: null, errorMessage: null };

/** The columns that every transition to a status sets. */
export const STATUS_COLUMNS = {
  pending: { status: 'pending' },
  processing: { status: 'processing' },
  ready: { status: 'ready', ...NO_ERROR },
  failed: { status: 'failed' },
  deleted: { state: 'deactivated' },
} as const;

/** @returns how many documents had a status that allows the transition */
export async function changeStatus(
  manager: EntityManager,
  name: keyof typeof DOCUMENT_TRANSITIONS,
  where: FindOptionsWhere<Document>,
  columns: DocumentColumns,
): Promise<number> {
  const { from, to } = DOCUMENT_TRANSITIONS[name];
  const { affected } = await manager
    .createQueryBuilder()
    .update(Document)
    .set({ ...STATUS_COLUMNS[to], ...columns })
    .where({ ...where, state: 'active', status: In<DocumentStatus>(from) })
    .execute();
  return affected ?? 0;
}
