import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Between, type FindOptionsWhere, In, IsNull, Not, Repository } from 'typeorm';
import { databaseNow } from '../platform/database/database-now.js';
import { rowLock } from '../platform/database/dialect.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { Claim } from './document-claims.js';
import { DocumentTransitions } from './document-transitions.js';
import { Document, type DocumentStatus, type IndexingLane } from './document.entity.js';
import { IndexingTurns } from './indexing-turns.js';
import { LEASE_MS, MAX_ATTEMPTS, MAX_BACKOFF_MS } from './indexing-limits.js';

/**
 * Limits of a group of small documents that are indexed together. Measured on SQLite with eight
 * parallel uploads: 72 documents a second at 10 ms of CPU each; one by one, 38 a second at 16 ms.
 */
const MAX_GROUP_SIZE = 32;
const MAX_GROUP_BYTES = 64 * 1024;

/**
 * The documents table is the queue. A process claims a document by a lease; when the process dies, the
 * lease expires and another process claims the document. Times are the database's. When its clock is
 * moved back, stored times lie too far ahead; one further ahead than is ever written is ignored.
 */
@Injectable()
export class IngestionQueue {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly unitOfWork: UnitOfWork,
    private readonly turns: IndexingTurns,
    private readonly transitions: DocumentTransitions,
  ) {}

  /**
   * Claims a document, or several small ones of a knowledge base. A document with an earlier attempt is
   * claimed alone, so that it cannot make others fail again.
   *
   * @param own ids of documents that this process is indexing; not claimed, even if a lease expired
   * @returns an empty array when no document waits in these lanes
   */
  async claim(own: readonly string[], lanes: readonly IndexingLane[]): Promise<Claim[]> {
    const excluded = [...own];
    for (;;) {
      const candidates = await this.findCandidates(excluded, lanes);
      if (candidates.length === 0) return [];
      const claims = await this.claimCandidates(candidates);
      if (claims.length > 0) return claims;
      // Another process claimed them first.
      excluded.push(...candidates.map(({ id }) => id));
    }
  }

  private async findCandidates(
    excluded: readonly string[],
    lanes: readonly IndexingLane[],
  ): Promise<Candidate[]> {
    const now = await databaseNow(this.documents.manager);
    const waiting = (status: DocumentStatus, conditions: FindOptionsWhere<Document>[]) =>
      this.documents
        .createQueryBuilder('document')
        .select(CANDIDATE_COLUMNS.map((column) => `document.${column}`))
        .where({ status, state: 'active', lane: In(lanes), id: Not(In(excluded)) })
        .andWhere(conditions);
    const abandoned = await waiting('processing', leaseExpired(now)).limit(1).getMany();
    if (abandoned.length > 0) return abandoned;
    const next = await this.turns.next(now, lanes, excluded);
    if (!next) return [];
    const pending = waiting('pending', backoffExpired(now)).andWhere(next);
    return groupOf(await pending.orderBy('document.id').limit(MAX_GROUP_SIZE).getMany());
  }

  /** Claims those candidates that no process has claimed, renewed or deleted since the search. */
  private async claimCandidates(candidates: readonly Candidate[]): Promise<Claim[]> {
    const ids = In(candidates.map(({ id }) => id));
    return this.unitOfWork.run(async (manager) => {
      const now = await databaseNow(manager);
      const found = await manager.find(Document, {
        // By their ids alone: with their status, SQLite would read all documents that wait.
        where: { id: ids },
        order: { id: 'ASC' },
        ...rowLock(manager.dataSource, 'skip_locked'),
      });
      const documents = found.filter((document) => isClaimable(document, now));
      if (documents.length === 0) return [];
      await this.transitions.claim(
        manager,
        documents.map(({ id }) => id),
        {
          claim: () => 'claim + 1',
          attempts: () =>
            `CASE WHEN attempts < ${MAX_ATTEMPTS} THEN attempts + 1 ELSE attempts END`,
          leaseUntil: new Date(now.getTime() + LEASE_MS),
        },
      );
      return documents.map((document) => ({
        document,
        version: document.claim + 1,
        attempts: document.attempts,
      }));
    });
  }
}

const CANDIDATE_COLUMNS = ['id', 'mimeType', 'sizeBytes', 'attempts', 'lane'] as const;
type Candidate = Pick<Document, (typeof CANDIDATE_COLUMNS)[number]>;

/** The first candidate, and those of the others that can be indexed together with it. */
function groupOf([first, ...others]: readonly Candidate[]): Candidate[] {
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

/** Only short text and Markdown: parsers of other formats may take long even for a small file. */
const isGroupable = ({ mimeType, sizeBytes, attempts, lane }: Candidate): boolean =>
  lane === 'group' &&
  attempts === 0 &&
  sizeBytes <= MAX_GROUP_BYTES &&
  (mimeType === 'text/plain' || mimeType === 'text/markdown');

/** Selects pending documents that are not waiting for their next attempt. */
const backoffExpired = (now: Date): FindOptionsWhere<Document>[] =>
  notWithin(now, MAX_BACKOFF_MS).map((nextAttemptAt) => ({ nextAttemptAt }));

/** Selects documents without a valid lease; one may have been set after `now` was read. */
const leaseExpired = (now: Date): FindOptionsWhere<Document>[] =>
  notWithin(now, 2 * LEASE_MS).map((leaseUntil) => ({ leaseUntil }));

/** The same of a document that was read. */
const isClaimable = ({ state, status, nextAttemptAt, leaseUntil }: Document, now: Date): boolean =>
  state === 'active' &&
  ((status === 'pending' && !isWithin(nextAttemptAt, now, MAX_BACKOFF_MS)) ||
    (status === 'processing' && !isWithin(leaseUntil, now, 2 * LEASE_MS)));

const isWithin = (time: Date | null, now: Date, milliseconds: number): boolean =>
  time !== null && time >= now && time.getTime() <= now.getTime() + milliseconds;

/** Conditions for a time that is not within the next milliseconds. */
const notWithin = (now: Date, milliseconds: number) => [
  IsNull(),
  Not(Between(now, new Date(now.getTime() + milliseconds))),
];
