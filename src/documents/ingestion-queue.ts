import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Between, EntityManager, FindOptionsWhere, In, IsNull, Not, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { databaseNow } from '../database/database-now.js';
import { together } from '../database/together.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { BACKOFF_FACTOR, BACKOFF_MS, MAX_ATTEMPTS, MAX_BACKOFF_MS } from './backoff.js';
import { Document, type DocumentStatus, type IndexingLane } from './document.entity.js';
import type { Unreadable } from './extraction/unreadable.js';
import { IndexingTurns } from './indexing-turns.js';

export const LEASE_MS = 15_000;
/** While the machine or the database fails. */
const OUTAGE_BACKOFF_MS = 5000;
/** What is claimed together takes a moment, so that others get their turns. */
const GROUP = 32;
const GROUP_BYTES = 64 * 1024;

/** A document and the right to index it, until the lease ends. */
export interface Claim {
  /** As it was when it was claimed. */
  readonly document: Document;
  readonly version: number;
  /** How many came before this one. */
  readonly attempts: number;
}

/** What a document starts its way through the queue with. */
export const QUEUED = {
  status: 'pending',
  attempts: 0,
  lane: 'group',
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
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly unitOfWork: UnitOfWork,
    private readonly turns: IndexingTurns,
  ) {}

  /**
   * Claims a document, or several small ones of a knowledge base: steps and commits shared by them
   * are most of what they cost. One that was tried before comes alone, so that none is held up
   * twice by another.
   *
   * @param own documents that this process is indexing, whatever their leases say
   * @returns none when nothing waits in these lanes
   */
  async claim(own: readonly string[], lanes: readonly IndexingLane[]): Promise<Claim[]> {
    const passed = [...own];
    for (;;) {
      const seen = await this.next(passed, lanes);
      if (seen.length === 0) return [];
      const claims = await this.take(seen);
      if (claims.length > 0) return claims;
      // Others have them.
      passed.push(...seen.map(({ id }) => id));
    }
  }

  /** Whether every attempt before has ended with its process. */
  isExhausted({ attempts }: Claim): boolean {
    return attempts >= MAX_ATTEMPTS;
  }

  async renew(claims: readonly Claim[]): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const leaseUntil = after(await databaseNow(manager), LEASE_MS);
      const ids = [...(await this.lockHeld(manager, claims))];
      await manager.update(Document, { id: In(ids) }, { leaseUntil });
    });
  }

  /** The ids of documents whose claims hold, until the unit of work ends. */
  async lockHeld(manager: EntityManager, claims: readonly Claim[]): Promise<Set<string>> {
    const documents = await manager.find(Document, {
      select: { id: true },
      where: claims.map(held),
      order: { id: 'ASC' },
      ...(manager.dataSource.options.type === 'postgres' && {
        lock: { mode: 'for_no_key_update' as const },
      }),
    });
    return new Set(documents.map(({ id }) => id));
  }

  /** The one step that makes the new chunks findable and the old ones not. */
  async publish(
    made: readonly { readonly claim: Claim; readonly chunkCount: number }[],
    cut: Pick<Document, 'chunkSize' | 'chunkOverlap'>,
  ): Promise<void> {
    const now = new Date();
    await this.unitOfWork.run(async (manager) => {
      const ready = made.map(
        ({ claim, chunkCount }) =>
          () =>
            manager.update(Document, held(claim), {
              ...cut,
              ...FREE,
              chunkCount,
              status: 'ready',
              version: claim.version,
              errorCode: null,
              errorMessage: null,
              indexedAt: now,
              updatedAt: now,
            }),
      );
      await together(manager, ...ready);
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

  /** The same, to wait where it holds up nobody: each of a group alone, a single one with long ones. */
  async turnAway(claims: readonly Claim[]): Promise<void> {
    const lane = claims.length > 1 ? 'single' : 'long';
    for (const claim of claims) {
      await this.change(claim, { status: 'pending', attempts: claim.attempts, lane });
    }
  }

  /** Those that can be claimed still: not claimed, renewed or deleted since they were seen. */
  private async take(seen: readonly Pick<Document, 'id'>[]): Promise<Claim[]> {
    const ids = In(seen.map(({ id }) => id));
    // Not waiting for the disk: a claim that the power takes along is made again.
    return this.unitOfWork.run(async (manager) => {
      const now = await databaseNow(manager);
      const documents = await manager.find(Document, {
        where: [
          ...isDue(now).map((may) => ({ ...may, status: 'pending' as const })),
          ...hasLapsed(now).map((may) => ({ ...may, status: 'processing' as const })),
        ].map((may) => ({ ...may, id: ids, state: 'active' as const })),
        order: { id: 'ASC' },
        // What others are claiming or changing is left to them. On SQLite there is one unit of work
        // at a time.
        ...(manager.dataSource.options.type === 'postgres' && {
          lock: { mode: 'for_no_key_update' as const, onLocked: 'skip_locked' as const },
        }),
      });
      if (documents.length === 0) return [];
      await manager.update(
        Document,
        { id: In(documents.map(({ id }) => id)) },
        {
          status: 'processing',
          claim: () => 'claim + 1',
          attempts: () =>
            `CASE WHEN attempts < ${MAX_ATTEMPTS} THEN attempts + 1 ELSE attempts END`,
          leaseUntil: after(now, LEASE_MS),
        },
      );
      return documents.map((document) => ({
        document,
        version: document.claim + 1,
        attempts: document.attempts,
      }));
    });
  }

  private async next(
    passed: readonly string[],
    lanes: readonly IndexingLane[],
  ): Promise<Waiting[]> {
    const now = await databaseNow(this.documents.manager);
    const waiting = (status: DocumentStatus, may: FindOptionsWhere<Document>[]) =>
      this.documents
        .createQueryBuilder('document')
        .select(WAITING.map((column) => `document.${column}`))
        .where({ status, state: 'active', lane: In(lanes), id: Not(In(passed)) })
        .andWhere(may);
    const abandoned = await waiting('processing', hasLapsed(now)).limit(1).getMany();
    if (abandoned.length > 0) return abandoned;
    const kbId = await this.turns.next(now, lanes, passed);
    if (kbId === undefined) return [];
    const pending = waiting('pending', isDue(now)).andWhere({ kbId });
    return groupOf(await pending.orderBy('document.id').limit(GROUP).getMany());
  }

  private async change(claim: Claim, changes: QueryDeepPartialEntity<Document>): Promise<void> {
    await this.unitOfWork.run((manager) =>
      manager.update(Document, held(claim), { ...FREE, ...changes }),
    );
  }
}

const FREE = { leaseUntil: null, nextAttemptAt: null };

const WAITING = ['id', 'mimeType', 'sizeBytes', 'attempts', 'lane'] as const;
type Waiting = Pick<Document, (typeof WAITING)[number]>;

/** The first one, and what can be indexed together with it. */
function groupOf([first, ...others]: readonly Waiting[]): Waiting[] {
  if (!first) return [];
  const group = [first];
  if (!isQuick(first)) return group;
  let bytes = first.sizeBytes;
  for (const other of others) {
    if (!isQuick(other)) continue;
    bytes += other.sizeBytes;
    if (bytes > GROUP_BYTES) break;
    group.push(other);
  }
  return group;
}

/** So little text is soon read; who knows what a parser makes of the rest. */
const isQuick = ({ mimeType, sizeBytes, attempts, lane }: Waiting): boolean =>
  lane === 'group' &&
  attempts === 0 &&
  sizeBytes <= GROUP_BYTES &&
  (mimeType === 'text/plain' || mimeType === 'text/markdown');

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);

const isDue = (now: Date): FindOptionsWhere<Document>[] => [
  { nextAttemptAt: IsNull() },
  { nextAttemptAt: Not(Between(now, after(now, MAX_BACKOFF_MS))) },
];

const hasLapsed = (now: Date): FindOptionsWhere<Document>[] => [
  { leaseUntil: IsNull() },
  // Twice as far: another process may claim between the question for the time and this.
  { leaseUntil: Not(Between(now, after(now, 2 * LEASE_MS))) },
];

/** Only while the claim holds: the document may have been replaced, deleted or taken over. */
const held = ({ document, version }: Claim) => ({
  id: document.id,
  claim: version,
  status: 'processing' as const,
});
