import { setImmediate } from 'node:timers/promises';
import { Events } from '../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { type EntityManager, type FindOptionsWhere, In } from 'typeorm';
import type { Actor } from '../knowledge-bases/events/event.js';
import type { Lease, Release } from '../knowledge-bases/job-queue.js';
import { Problem } from '../platform/problems/problem.js';
import { newRuleColumns } from '../knowledge-bases/access-rules/new-rule.js';
import { requireNoLegalHold } from '../knowledge-bases/settings/legal-hold.js';
import { foundColumns } from './document-rules.js';
import { type DateColumns, mustBeReadForDate } from './document-date.js';
import type { ValidityColumns } from './document-validity.js';
import { updateSupersession } from './supersession.js';
import { Document, type DocumentStatus, type SourceAccess } from './document.entity.js';
import {
  ACTIVE,
  changeStatus,
  DOCUMENT_TRANSITIONS,
  type DocumentColumns,
  NO_ERROR,
  STATUS_COLUMNS,
} from './document-status.js';
import { IngestionQueue } from './ingestion-queue.js';
import { overwrites } from './overwrites.js';
import { deleteVersions } from './delete-versions.js';

/**
 * The number of documents that one statement changes: for all of a knowledge base it would take seconds,
 * during which SQLite answers nobody, or be cancelled.
 */
const BATCH = 1000;

/** A change by a user resets the count of failed attempts. */
const NOT_ATTEMPTED = { ...NO_ERROR, attempts: 0 } as const;

/** Where a document of a source comes from. */
export interface DocumentOrigin {
  readonly sourceId: string;
  readonly sourceKey: string;
  readonly sourceVersion: string | null;
  readonly sourceAccess: SourceAccess | null;
  /** When the source says that it was changed: `2025`, `2025-03` or `2025-03-01`; absent if it does not say. */
  readonly sourceDate?: string | null;
}

/** The columns of a document that describe it; the others are about its indexing. */
export type DocumentDescription = Pick<
  Document,
  | 'title'
  | 'sourceUrl'
  | 'externalId'
  | 'mimeType'
  | 'sizeBytes'
  | 'sha256'
  | 'metadata'
  | 'declaredLanguage'
  | 'languages'
  | 'charset'
  | 'updatedAt'
> &
  Partial<Pick<Document, 'language' | 'accessSetId' | keyof DocumentOrigin | 'syncedAt'>> &
  ValidityColumns &
  DateColumns;
type NewDocument = DocumentDescription & Pick<Document, 'id' | 'kbId' | 'createdAt'>;

/**
 * Changes the status of documents and queues them, in the caller's transaction. Besides IngestionQueue, no
 * other class changes it.
 */
@Injectable()
export class DocumentTransitions {
  constructor(
    private readonly events: Events,
    private readonly queue: IngestionQueue,
  ) {}

  /** Inserts a pending document. */
  async add(manager: EntityManager, actor: Actor, document: NewDocument): Promise<void> {
    const { id, kbId, title } = document;
    await manager
      .createQueryBuilder()
      .insert()
      .into(Document)
      .values({
        ...document,
        ...STATUS_COLUMNS.pending,
        ...NOT_ATTEMPTED,
        state: 'active',
      })
      .updateEntity(false)
      .execute();
    await this.queue.add(manager, id);
    const event = { kbId, action: 'document.added', targetId: id, details: { title } } as const;
    await this.events.recordChange(manager, actor, event);
  }

  /**
   * @param columns further columns to change
   * @throws Problem `not_found` when the document was deleted meanwhile; `legal_hold`
   */
  async apply(
    manager: EntityManager,
    actor: Actor,
    name: 'replace' | 'restore' | 'reindex' | 'changeTitle' | 'delete',
    { id, kbId }: Pick<Document, 'id' | 'kbId'>,
    { columns, details = {} }: { columns?: DocumentColumns; details?: object } = {},
  ): Promise<void> {
    const { to, action } = DOCUMENT_TRANSITIONS[name];
    if (to === 'deleted') await requireNoLegalHold(manager, kbId);
    const changes = { ...columns, ...(to === 'pending' && NOT_ATTEMPTED) };
    if (to === 'pending') await this.queue.add(manager, id);
    else await this.queue.remove(manager, 'id', id);
    if ((await changeStatus(manager, name, { id }, changes)) !== 1) throw new Problem('not_found');
    if (to === 'deleted') {
      await updateSupersession(manager, [id]);
      await deleteVersions(manager, { versionOf: id });
    }
    await this.events.recordChange(manager, actor, { kbId, action, targetId: id, details });
  }

  /**
   * Changes the description. Titles are indexed, so a document with a new one is indexed again; and one whose
   * date is taken back, since its file may say another.
   *
   * @throws Problem `not_found`; `legal_hold` where a value would be lost
   */
  async edit(
    manager: EntityManager,
    actor: Actor,
    document: Document,
    edited: DocumentColumns,
    fields: readonly string[],
  ): Promise<void> {
    const { id, kbId, title, accessSetId } = document;
    if (overwrites(document, edited)) await requireNoLegalHold(manager, kbId);
    const details = { fields };
    const isRuled = edited.accessSetId !== undefined && edited.accessSetId !== accessSetId;
    const noted = await foundColumns(manager, document, edited);
    const columns = { ...edited, ...noted, ...(isRuled && newRuleColumns) };
    const isRenamed = columns.title !== undefined && columns.title !== title;
    if (isRenamed || mustBeReadForDate(document, columns)) {
      await this.apply(manager, actor, 'changeTitle', { id, kbId }, { columns, details });
      await updateSupersession(manager, [id]);
      return;
    }
    const { affected } = await manager.update(Document, { id, state: 'active' }, columns);
    if (affected !== 1) throw new Problem('not_found');
    await updateSupersession(manager, [id]);
    const event = { kbId, action: 'document.updated', targetId: id, details } as const;
    await this.events.recordChange(manager, actor, event);
  }

  /** @returns how many documents were queued */
  async reindexAll(manager: EntityManager, actor: Actor, kbId: string): Promise<number> {
    const { from, action } = DOCUMENT_TRANSITIONS.reindexAll;
    const rows = await manager
      .createQueryBuilder(Document, 'document')
      .select('document.id', 'id')
      .where({ kbId, state: 'active', status: In<DocumentStatus>([...from]) })
      .orderBy('document.id')
      .getRawMany<{ id: string }>();
    let documents = 0;
    for (let start = 0; start < rows.length; start += BATCH) {
      const ids = rows.slice(start, start + BATCH).map(({ id }) => id);
      await this.queue.add(manager, ...ids);
      documents += await changeStatus(manager, 'reindexAll', { id: In(ids) }, NOT_ATTEMPTED);
      // Lets requests in between.
      await setImmediate();
    }
    const event = { kbId, action, targetId: kbId, details: { documents } };
    await this.events.recordChange(manager, actor, event);
    return documents;
  }

  /** @returns false if there are no more */
  async deleteWithKnowledgeBase(manager: EntityManager, kbId: string): Promise<boolean> {
    const ids = await findActive(manager, { kbId });
    await changeStatus(manager, 'deleteWithKnowledgeBase', { id: In(ids) }, {});
    if (ids.length === BATCH) return true;
    const versions = await findIds(manager, { kbId, state: 'kept' });
    await deleteVersions(manager, { id: In(versions) });
    return versions.length === BATCH;
  }

  async deleteWithSource(manager: EntityManager, sourceId: string): Promise<void> {
    for await (const ids of activeDocuments(manager, { sourceId })) {
      await this.queue.remove(manager, 'id', ...ids);
      await changeStatus(manager, 'deleteWithSource', { id: In(ids) }, {});
      await updateSupersession(manager, ids);
      await deleteVersions(manager, { versionOf: In(ids) });
    }
  }

  /**
   * Ends leases, and changes the documents whose leases were not lost.
   *
   * @param release how their jobs wait again; undefined if they end
   */
  async applyToLeased(
    manager: EntityManager,
    name: 'publish' | 'publishPart' | 'fail' | 'requeue',
    leases: readonly Lease<Document>[],
    columns: DocumentColumns,
    release?: Release,
  ): Promise<void> {
    const held = release
      ? await this.queue.release(manager, leases, release)
      : await this.queue.end(manager, leases);
    if (held.size === 0) return;
    const id = In([...held]);
    await changeStatus(manager, name, { id }, columns);
    if (name !== 'requeue') await updateSupersession(manager, [...held]);
    const transition = DOCUMENT_TRANSITIONS[name];
    if (!('event' in transition)) return;
    const { to: status, event } = transition;
    const where = { id, status, state: 'active' } as const;
    const select = {
      id: true,
      kbId: true,
      externalId: true,
      status: true,
      errorCode: true,
    } as const;
    for (const document of await manager.find(Document, { select, where })) {
      const { kbId } = document;
      await this.events.record(manager, { kbId, action: event, data: toEventFields(document) });
    }
  }
}

const toEventFields = ({ id, externalId, status, errorCode }: Document) => ({
  document_id: id,
  external_id: externalId,
  status,
  error_code: errorCode,
});

/**
 * Finds active documents until there are none: the caller changes those of each batch so that they are not
 * found again. Lets requests in between.
 */
export async function* activeDocuments(
  manager: EntityManager,
  where: FindOptionsWhere<Document>,
): AsyncGenerator<string[]> {
  for (;;) {
    const ids = await findActive(manager, where);
    if (ids.length === 0) return;
    yield ids;
    await setImmediate();
  }
}

const findActive = (manager: EntityManager, where: FindOptionsWhere<Document>) =>
  findIds(manager, { ...where, state: ACTIVE });

/** @returns the ids of at most BATCH documents */
async function findIds(
  manager: EntityManager,
  where: FindOptionsWhere<Document>,
): Promise<string[]> {
  const rows = await manager.find(Document, { select: { id: true }, where, take: BATCH });
  return rows.map(({ id }) => id);
}
