import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { databaseNow } from '../database/database-now.js';
import { rowLock } from '../database/dialect.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { BACKOFF_FACTOR, BACKOFF_MS, LEASE_MS, MAX_ATTEMPTS } from './indexing-limits.js';
import { DocumentTransitions } from './document-transitions.js';
import { Document } from './document.entity.js';
import type { Unreadable } from './extraction/unreadable.js';

/** While the machine or the database fails. */
const OUTAGE_BACKOFF_MS = 5000;

/** The right of one process to index a document, until the lease expires. */
export interface Claim {
  /** As it was before it was claimed. */
  readonly document: Document;
  /** Number of the claim, and version of the chunks that are made under it. */
  readonly version: number;
  /** Attempts before this one. */
  readonly attempts: number;
}

/**
 * What the holder of a claim may do. Nothing happens to a document whose claim is lost: it was
 * replaced, deleted, or claimed by another process after the lease had expired.
 */
@Injectable()
export class DocumentClaims {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly unitOfWork: UnitOfWork,
    private readonly transitions: DocumentTransitions,
  ) {}

  async renew(claims: readonly Claim[]): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const leaseUntil = after(await databaseNow(manager), LEASE_MS);
      const ids = [...(await this.lockHeld(manager, claims))];
      await manager.update(Document, { id: In(ids) }, { leaseUntil });
    });
  }

  /** Locks the documents whose claims are not lost, and returns their ids. */
  async lockHeld(manager: EntityManager, claims: readonly Claim[]): Promise<Set<string>> {
    const documents = await manager.find(Document, {
      select: { id: true },
      where: claims.map((claim) => ({ ...toHeld(claim), status: 'processing' as const })),
      order: { id: 'ASC' },
      ...rowLock(manager.dataSource),
    });
    return new Set(documents.map(({ id }) => id));
  }

  /** Makes the new chunks searchable instead of the old ones, in one statement. */
  async publish(
    claims: readonly Claim[],
    limits: Pick<Document, 'chunkSize' | 'chunkOverlap'>,
  ): Promise<void> {
    const now = new Date();
    await this.unitOfWork.run((manager) =>
      this.transitions.applyToClaims(manager, 'publish', claims.map(toHeld), {
        ...limits,
        version: () => 'claim',
        chunkCount: () =>
          '(SELECT COUNT(*) FROM chunks WHERE document_id = documents.id AND version = claim)',
        indexedAt: now,
        updatedAt: now,
      }),
    );
  }

  async fail(claim: Claim, { code, message }: Pick<Unreadable, 'code' | 'message'>): Promise<void> {
    await this.unitOfWork.run((manager) =>
      this.transitions.applyToClaims(manager, 'fail', [toHeld(claim)], {
        errorCode: code,
        errorMessage: message,
        updatedAt: new Date(),
      }),
    );
  }

  /** After an attempt that failed for an unknown reason: tries again later, or gives up. */
  async retry(claim: Claim): Promise<void> {
    if (claim.attempts + 1 >= MAX_ATTEMPTS) {
      await this.fail(claim, { code: 'parse_failed', message: 'The document could not be read.' });
      return;
    }
    await this.giveBack(claim, {
      nextAttemptAt: await this.afterNow(BACKOFF_MS * BACKOFF_FACTOR ** claim.attempts),
    });
  }

  /** After an outage: tries again later, and the attempt does not count. */
  async postpone(claim: Claim): Promise<void> {
    const nextAttemptAt = await this.afterNow(OUTAGE_BACKOFF_MS);
    await this.giveBack(claim, { attempts: claim.attempts, nextAttemptAt });
  }

  /** As if the document had not been claimed. */
  async release(claim: Claim): Promise<void> {
    await this.giveBack(claim, { attempts: claim.attempts });
  }

  /** The same, but a document of a group is then indexed alone, and a single one as a long one. */
  async moveToSlowerLane(claims: readonly Claim[]): Promise<void> {
    const lane = claims.length > 1 ? 'single' : 'long';
    for (const claim of claims) await this.giveBack(claim, { attempts: claim.attempts, lane });
  }

  private async giveBack(claim: Claim, columns: QueryDeepPartialEntity<Document>): Promise<void> {
    await this.unitOfWork.run((manager) =>
      this.transitions.applyToClaims(manager, 'release', [toHeld(claim)], columns),
    );
  }

  private async afterNow(milliseconds: number): Promise<Date> {
    return after(await databaseNow(this.documents.manager), milliseconds);
  }
}

const toHeld = ({ document, version }: Claim) => ({ id: document.id, claim: version });

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);
