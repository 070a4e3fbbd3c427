import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Between, type FindOptionsWhere, In, IsNull, Not, Repository } from 'typeorm';
import { databaseNow } from '../database/database-now.js';
import { rowLock } from '../database/dialect.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Claim } from './document-claims.js';
import { DocumentTransitions } from './document-transitions.js';
import { Document, type DocumentStatus, type IndexingLane } from './document.entity.js';
import { IndexingTurns } from './indexing-turns.js';
import { LEASE_MS, MAX_ATTEMPTS, MAX_BACKOFF_MS } from './indexing-limits.js';

/**
 * Small documents that are indexed together, so few that it takes a moment. One by one, 38 of them a
 * second were ready instead of 72, at 16 ms of CPU instead of 10 (SQLite, eight uploads at once).
 */
const GROUP = 32;
const GROUP_BYTES = 64 * 1024;

/**
 * The queue is the documents table. A process claims a document by a lease on it, so that another
 * one takes over when it dies. Times are those of the database's clock; one that lies further ahead
 * than any that is ever set there was set before the clock was moved back, and is ignored.
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
   * Claims a document, or several small ones of a knowledge base. A document that was attempted
   * before comes alone, so that it cannot fail with another one twice.
   *
   * @param own documents that this process is indexing, whatever their leases say
   * @returns none when nothing waits in these lanes
   */
  async claim(own: readonly string[], lanes: readonly IndexingLane[]): Promise<Claim[]> {
    const excluded = [...own];
    for (;;) {
      const candidates = await this.findCandidates(excluded, lanes);
      if (candidates.length === 0) return [];
      const claims = await this.claimCandidates(candidates);
      if (claims.length > 0) return claims;
      // Another process was faster.
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
        .select(CANDIDATE.map((column) => `document.${column}`))
        .where({ status, state: 'active', lane: In(lanes), id: Not(In(excluded)) })
        .andWhere(conditions);
    const abandoned = await waiting('processing', isAbandoned(now)).limit(1).getMany();
    if (abandoned.length > 0) return abandoned;
    const kbId = await this.turns.next(now, lanes, excluded);
    if (kbId === undefined) return [];
    const pending = waiting('pending', isDue(now)).andWhere({ kbId });
    return groupOf(await pending.orderBy('document.id').limit(GROUP).getMany());
  }

  /** Claims those that were not claimed, renewed or deleted since they were found. */
  private async claimCandidates(candidates: readonly Candidate[]): Promise<Claim[]> {
    const ids = In(candidates.map(({ id }) => id));
    return this.unitOfWork.run(async (manager) => {
      const now = await databaseNow(manager);
      const documents = await manager.find(Document, {
        where: [
          ...isDue(now).map((due) => ({ ...due, status: 'pending' as const })),
          ...isAbandoned(now).map((abandoned) => ({ ...abandoned, status: 'processing' as const })),
        ].map((condition) => ({ ...condition, id: ids, state: 'active' as const })),
        order: { id: 'ASC' },
        ...rowLock(manager.dataSource, 'skip_locked'),
      });
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

const CANDIDATE = ['id', 'mimeType', 'sizeBytes', 'attempts', 'lane'] as const;
type Candidate = Pick<Document, (typeof CANDIDATE)[number]>;

/** The first one, and those that can be indexed together with it. */
function groupOf([first, ...others]: readonly Candidate[]): Candidate[] {
  if (!first) return [];
  const group = [first];
  if (!mayShare(first)) return group;
  let bytes = first.sizeBytes;
  for (const other of others.filter(mayShare)) {
    bytes += other.sizeBytes;
    if (bytes > GROUP_BYTES) break;
    group.push(other);
  }
  return group;
}

/** Only little text, which is read in a moment; other formats may keep their parser busy. */
const mayShare = ({ mimeType, sizeBytes, attempts, lane }: Candidate): boolean =>
  lane === 'group' &&
  attempts === 0 &&
  sizeBytes <= GROUP_BYTES &&
  (mimeType === 'text/plain' || mimeType === 'text/markdown');

/** Pending documents that are not waiting for their next attempt. */
const isDue = (now: Date): FindOptionsWhere<Document>[] =>
  notWithin(now, MAX_BACKOFF_MS).map((nextAttemptAt) => ({ nextAttemptAt }));

/** Documents whose lease has expired; a valid one may have begun after `now` was read. */
const isAbandoned = (now: Date): FindOptionsWhere<Document>[] =>
  notWithin(now, 2 * LEASE_MS).map((leaseUntil) => ({ leaseUntil }));

const notWithin = (now: Date, milliseconds: number) => [
  IsNull(),
  Not(Between(now, new Date(now.getTime() + milliseconds))),
];
