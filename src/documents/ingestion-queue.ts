import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Between, IsNull, Not, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { databaseNow } from '../database/database-now.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Document } from './document.entity.js';
import type { Unreadable } from './extraction/unreadable.js';

export const LEASE_MS = 15_000;
const MAX_ATTEMPTS = 3;
/** Before the second attempt; before each further one several times as long. */
const BACKOFF_MS = 2000;
const BACKOFF_FACTOR = 4;
/** While the machine or the database fails. */
const OUTAGE_BACKOFF_MS = 5000;
const MAX_BACKOFF_MS = BACKOFF_MS * BACKOFF_FACTOR ** MAX_ATTEMPTS;

/** A document and the right to index it, until the lease ends. */
export interface Claim {
  /** As it is by the claim. */
  readonly document: Document;
  readonly version: number;
  /** How many came before this one. */
  readonly attempts: number;
}

/** What a document starts its way through the queue with. */
export const QUEUED = {
  status: 'pending',
  attempts: 0,
  errorCode: null,
  errorMessage: null,
  leaseUntil: null,
  nextAttemptAt: null,
} as const satisfies QueryDeepPartialEntity<Document>;

/**
 * The queue is the documents table: a process claims a document by a lease, so that one that dies
 * loses only its turn. Times are the database's. One that lies further ahead than any that is ever
 * set there is from before the clock was moved, and holds no longer.
 */
@Injectable()
export class IngestionQueue {
  /** Whose document was claimed last: knowledge bases take turns. */
  private lastKbId = '';

  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @param own documents that this process is indexing, whatever their leases say */
  async claim(own: readonly string[]): Promise<Claim | undefined> {
    for (;;) {
      const seen = await this.next(own);
      if (!seen) return undefined;
      const claim = await this.take(seen);
      this.lastKbId = seen.kbId;
      if (claim) return claim;
    }
  }

  /** Whether every attempt before has ended with its process. */
  isExhausted({ attempts }: Claim): boolean {
    return attempts >= MAX_ATTEMPTS;
  }

  async renew(claim: Claim): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const leaseUntil = after(await databaseNow(manager), LEASE_MS);
      await manager.update(Document, held(claim), { leaseUntil });
    });
  }

  /** The one step that makes the new chunks findable and the old ones not. */
  async publish(
    claim: Claim,
    made: Pick<Document, 'chunkCount' | 'chunkSize' | 'chunkOverlap'>,
  ): Promise<void> {
    const now = new Date();
    await this.change(claim, {
      ...made,
      status: 'ready',
      version: claim.version,
      errorCode: null,
      errorMessage: null,
      indexedAt: now,
      updatedAt: now,
    });
  }

  async fail(claim: Claim, { code, message }: Pick<Unreadable, 'code' | 'message'>): Promise<void> {
    await this.change(claim, {
      status: 'failed',
      errorCode: code,
      errorMessage: message,
      updatedAt: new Date(),
    });
  }

  /** Gives the document back after an attempt that failed for no reason of its own. */
  async retry(claim: Claim): Promise<void> {
    const { attempts } = claim;
    if (attempts + 1 >= MAX_ATTEMPTS) {
      await this.fail(claim, { code: 'parse_failed', message: 'The document could not be read.' });
      return;
    }
    const now = await databaseNow(this.documents.manager);
    const nextAttemptAt = after(now, BACKOFF_MS * BACKOFF_FACTOR ** attempts);
    await this.change(claim, { status: 'pending', nextAttemptAt });
  }

  /** Gives the document back after an attempt that does not count, for later. */
  async postpone(claim: Claim): Promise<void> {
    const now = await databaseNow(this.documents.manager);
    const nextAttemptAt = after(now, OUTAGE_BACKOFF_MS);
    await this.change(claim, { status: 'pending', attempts: claim.attempts, nextAttemptAt });
  }

  /** Gives the document back as if it had not been claimed. */
  async release(claim: Claim): Promise<void> {
    await this.change(claim, { status: 'pending', attempts: claim.attempts });
  }

  /** Unless the document has been claimed, renewed or queued anew since it was seen. */
  private async take(seen: Document): Promise<Claim | undefined> {
    const { id, status, attempts, leaseUntil } = seen;
    const version = seen.claim + 1;
    return this.unitOfWork.run(async (manager) => {
      const { affected } = await manager.update(
        Document,
        {
          id,
          state: 'active',
          status,
          // The claim count is the lock: of two that saw the same row one updates it.
          claim: seen.claim,
          attempts,
          leaseUntil: leaseUntil ?? IsNull(),
        },
        {
          status: 'processing',
          claim: version,
          attempts: Math.min(attempts + 1, MAX_ATTEMPTS),
          leaseUntil: after(await databaseNow(manager), LEASE_MS),
        },
      );
      if (affected !== 1) return undefined;
      // It may have been replaced since it was seen, and until the commit it cannot be.
      return { document: await manager.findOneByOrFail(Document, { id }), version, attempts };
    });
  }

  private async next(own: readonly string[]): Promise<Document | null> {
    const now = await databaseNow(this.documents.manager);
    const waits = Not(Between(now, after(now, MAX_BACKOFF_MS)));
    const pending = () =>
      this.documents
        .createQueryBuilder('document')
        .where({ status: 'pending', state: 'active' })
        .andWhere([{ nextAttemptAt: IsNull() }, { nextAttemptAt: waits }])
        .orderBy('document.kbId')
        .addOrderBy('document.id')
        .limit(1);
    return (
      (await this.documents
        .createQueryBuilder('document')
        .where({ status: 'processing', state: 'active' })
        .andWhere([
          { leaseUntil: IsNull() },
          // Twice as far: another process may claim between the question for the time and this.
          { leaseUntil: Not(Between(now, after(now, 2 * LEASE_MS))) },
        ])
        .andWhere(own.length > 0 ? 'document.id NOT IN (:...own)' : 'TRUE', { own })
        .limit(1)
        .getOne()) ??
      (await pending().andWhere('document.kbId > :last', { last: this.lastKbId }).getOne()) ??
      (await pending().getOne())
    );
  }

  private async change(claim: Claim, changes: QueryDeepPartialEntity<Document>): Promise<void> {
    await this.unitOfWork.run((manager) =>
      manager.update(Document, held(claim), { leaseUntil: null, nextAttemptAt: null, ...changes }),
    );
  }
}

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);

/** Only while the claim holds: the document may have been replaced, deleted or taken over. */
const held = ({ document, version }: Claim) => ({
  id: document.id,
  claim: version,
  status: 'processing' as const,
});
