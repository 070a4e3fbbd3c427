import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  type EntityManager,
  FindOptionsWhere,
  In,
  MoreThan,
  Raw,
  Repository,
  SelectQueryBuilder,
} from 'typeorm';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../platform/jobs/job.js';
import { Jobs } from '../platform/jobs/jobs.js';
import { PurgesKnowledgeBase } from '../knowledge-bases/declared-purges.js';
import { lockForErasure, NOT_UNDER_LEGAL_HOLD } from '../knowledge-bases/settings/legal-hold.js';
import { SearchIndex } from '@latchkey/ranking/search-index';
import { LAST_WRITTEN, Passage } from './passage.entity.js';
import { ContentPurge } from './contents/content-purge.js';
import { DocumentTransitions } from './document-transitions.js';
import { moveToVersions } from './move-to-versions.js';
import { Document, type DocumentState } from './document.entity.js';

/** Written as a literal: SQLite does not use the partial index for a parameter. */
const DELETED = Raw<DocumentState>((column) => `${column} = 'deactivated'`);

const DOCUMENT_BATCH = 100;
const PASSAGE_BATCH = 200;
/** The number of documents that one transaction deletes, with their contents. */
const DELETED_AT_ONCE = 20;
/** The pause before a failed removal is retried. */
const INTERVAL_MS = 60_000;

/**
 * Removes passages that are no longer searchable, in batches: first from the index, then from the
 * table. A removal that fails or is interrupted by a shutdown is repeated.
 */
@Injectable()
@PurgesKnowledgeBase()
export class PassagePurge {
  private readonly logger = new Logger(PassagePurge.name);

  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    @InjectRepository(Passage) private readonly passages: Repository<Passage>,
    private readonly unitOfWork: UnitOfWork,
    private readonly transitions: DocumentTransitions,
    private readonly index: SearchIndex,
    private readonly jobs: Jobs,
  ) {}

  @Job({ every: INTERVAL_MS })
  async removeDocuments({ signal }: JobRound): Promise<void> {
    await this.removeDeleted({}, signal);
  }

  /** Removes passages of superseded versions of documents. */
  async removeStale(documentIds: readonly string[], signal: AbortSignal): Promise<void> {
    await this.removePassages(
      () =>
        this.passages
          .createQueryBuilder('passage')
          .innerJoin('passage.document', 'document')
          .where({ documentId: In(documentIds) })
          .andWhere(`passage.version <= ${LAST_WRITTEN}`)
          .andWhere('(document.version IS NULL OR passage.version <> document.version)'),
      signal,
    );
  }

  /** @returns false if a removal failed */
  private async removeDeleted(
    where: FindOptionsWhere<Document>,
    signal: AbortSignal,
  ): Promise<boolean> {
    let complete = true;
    for (let last = ''; !signal.aborted;) {
      const batch = await this.documents.find({
        select: { id: true, kbId: true },
        where: { kbId: NOT_UNDER_LEGAL_HOLD, ...where, state: DELETED, id: MoreThan(last) },
        order: { id: 'ASC' },
        take: DOCUMENT_BATCH,
      });
      last = batch.at(-1)?.id ?? last;
      for (const [kbId, documents] of Map.groupBy(batch, (document) => document.kbId)) {
        for (const ids of splitGroups(documents.map(({ id }) => id))) {
          const remove = (some: readonly string[]) =>
            this.attempt(() => this.removeTogether(some, kbId, signal));
          if (await remove(ids)) continue;
          // One that cannot be removed must not keep the others.
          for (const id of ids) complete = (await remove([id])) && complete;
        }
      }
      if (batch.length > 0) this.jobs.start(ContentPurge);
      if (batch.length < DOCUMENT_BATCH) break;
    }
    return complete;
  }

  /** Logs a failure so that other removals continue; a later round retries it. */
  private async attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.logger.error(error);
      return false;
    }
  }

  private async removeTogether(
    ids: readonly string[],
    kbId: string,
    signal: AbortSignal,
  ): Promise<void> {
    const confirm = (manager: EntityManager) => lockForErasure(manager, kbId);
    await this.removePassages(
      () => this.passages.createQueryBuilder('passage').where({ documentId: In(ids) }),
      signal,
      confirm,
    );
    if (signal.aborted) return;
    await this.unitOfWork.run(async (manager) => {
      await confirm(manager);
      await manager.delete(Document, { id: In(ids), state: 'deactivated' });
    });
  }

  async purgeKnowledgeBase(kbId: string, signal: AbortSignal): Promise<void> {
    const deleteNext = () =>
      this.unitOfWork.run((manager) => this.transitions.deleteWithKnowledgeBase(manager, kbId));
    while (!signal.aborted && (await deleteNext()));
    const complete = await this.removeDeleted({ kbId }, signal);
    if (!complete) throw new Error('Some documents of a knowledge base could not be removed');
    if (!signal.aborted) await this.index.drop(kbId);
  }

  /**
   * @param stale selects passages of one knowledge base; called until it selects none
   * @param confirm called in the transaction of each batch; an error from it ends the removal
   */
  private async removePassages(
    stale: () => SelectQueryBuilder<Passage>,
    signal: AbortSignal,
    confirm?: (manager: EntityManager) => Promise<void>,
  ): Promise<void> {
    while (!signal.aborted) {
      const passages = await stale()
        .select(['passage.number', 'passage.kbId', 'passage.documentId', 'passage.version'])
        .limit(PASSAGE_BATCH)
        .getMany();
      const [first] = passages;
      if (!first) return;
      const numbers = passages.map(({ number }) => number);
      await this.index.remove(first.kbId, numbers);
      await this.unitOfWork.run(async (manager) => {
        await confirm?.(manager);
        const moved = await moveToVersions(manager, passages);
        await manager.delete(Passage, { number: In(numbers.filter((one) => !moved.has(one))) });
      });
    }
  }
}

/** Splits a batch of ids into groups that are deleted at once. */
const splitGroups = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / DELETED_AT_ONCE) }, (_, group) =>
    ids.slice(group * DELETED_AT_ONCE, (group + 1) * DELETED_AT_ONCE),
  );
