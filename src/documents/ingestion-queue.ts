import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository } from 'typeorm';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { Lease } from '../platform/jobs/leased-queue.js';
import { TenantQueue } from '../knowledge-bases/tenant-queue.js';
import { type QueueTable, UserTurns } from '../knowledge-bases/user-turns.js';
import { Document, type DocumentStatus, type IndexingMode } from './document.entity.js';
import { LEASE_MS, MAX_ATTEMPTS, MAX_BACKOFF_MS } from './indexing-limits.js';

/**
 * Limits of a group of small documents that are indexed together. Measured on SQLite with eight
 * parallel uploads: 72 documents a second at 10 ms of CPU each; one by one, 38 a second at 16 ms.
 */
const MAX_GROUP_SIZE = 32;
const MAX_GROUP_BYTES = 64 * 1024;

const TABLE: QueueTable = {
  name: 'documents',
  waiting: `w.status = 'pending'`,
  leasable: `w.state = 'active' AND w.indexing_mode IN (:...modes)`,
};

/**
 * The queue of documents to index: those of the user whose turn it is, or those left by a process that
 * died.
 */
@Injectable()
export class IngestionQueue extends TenantQueue<Document> {
  constructor(
    @InjectRepository(Document) documents: Repository<Document>,
    unitOfWork: UnitOfWork,
    turns: UserTurns,
  ) {
    super(TABLE, documents, unitOfWork, turns, {
      leaseMs: LEASE_MS,
      maxPauseMs: MAX_BACKOFF_MS,
      leased: { status: 'processing' },
    });
  }

  /**
   * Leases one document, or several small ones of a knowledge base. A document with an earlier attempt
   * is leased alone, so that it cannot make others fail again.
   *
   * @returns an empty array if no document of these modes is waiting
   */
  lease(modes: readonly IndexingMode[]): Promise<Lease<Document>[]> {
    const find = async (now: Date, excluded: readonly string[]) => {
      const candidates = await this.findCandidates(now, excluded, modes);
      return candidates.map(({ id }) => id);
    };
    return this.leaseFound(find, {
      attempts: () => `CASE WHEN attempts < ${MAX_ATTEMPTS} THEN attempts + 1 ELSE attempts END`,
    });
  }

  private async findCandidates(
    now: Date,
    excluded: readonly string[],
    modes: readonly IndexingMode[],
  ): Promise<Candidate[]> {
    const waiting = (status: DocumentStatus) =>
      this.rows
        .createQueryBuilder('document')
        .select(CANDIDATE_COLUMNS.map((column) => `document.${column}`))
        .where({ status, state: 'active', indexingMode: In(modes), id: Not(In(excluded)) })
        .andWhere({ dueAt: this.due(now) });
    const abandoned = await waiting('processing').limit(1).getMany();
    if (abandoned.length > 0) return abandoned;
    const next = await this.nextTenant(now, excluded, { modes });
    if (!next) return [];
    const pending = waiting('pending').andWhere(next);
    // Documents with pages to recognise: those without any searchable text come first. The others take
    // turns, since each is due again after its last turn.
    if (modes.includes('recognition')) pending.orderBy(IS_SEARCHABLE).addOrderBy('document.dueAt');
    return chooseGroup(await pending.addOrderBy('document.id').limit(MAX_GROUP_SIZE).getMany());
  }
}

const IS_SEARCHABLE = 'CASE WHEN document.version IS NULL THEN 0 ELSE 1 END';
const CANDIDATE_COLUMNS = ['id', 'mimeType', 'sizeBytes', 'attempts', 'indexingMode'] as const;
type Candidate = Pick<Document, (typeof CANDIDATE_COLUMNS)[number]>;

/** Chooses the first candidate and those others that can be indexed together with it. */
function chooseGroup([first, ...others]: readonly Candidate[]): Candidate[] {
  if (!first) return [];
  const group = [first];
  if (!isGroupable(first)) return group;
  let bytes = first.sizeBytes;
  for (const other of others.filter(isGroupable)) {
    bytes += other.sizeBytes;
    if (bytes > MAX_GROUP_BYTES) break;
    group.push(other);
  }
  return group;
}

/**
 * Groups contain only short text and Markdown: parsers of other formats may take long even for a small
 * file.
 */
const isGroupable = ({ mimeType, sizeBytes, attempts, indexingMode }: Candidate): boolean =>
  indexingMode === 'group' &&
  attempts === 0 &&
  sizeBytes <= MAX_GROUP_BYTES &&
  (mimeType === 'text/plain' || mimeType === 'text/markdown');
