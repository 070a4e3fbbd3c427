import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { databaseNow } from '../platform/database/database-now.js';
import { rowLock } from '../platform/database/dialect.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { parseJson } from '@latchkey/text/parse-json';
import { BACKOFF_FACTOR, BACKOFF_MS, LEASE_MS, MAX_ATTEMPTS } from './indexing-limits.js';
import { DocumentTransitions } from './document-transitions.js';
import { Document } from './document.entity.js';
import { storableJson } from './storable-json.js';
import type { ExtractionResult } from '@latchkey/extraction/extract';
import type { Unreadable } from '@latchkey/extraction/unreadable';

/** The pause after an attempt that failed because of the machine or the database. */
const OUTAGE_BACKOFF_MS = 5000;

/** The right of one process to index a document, until the lease expires. */
export interface Claim {
  /** The row as it was before the claim. */
  readonly document: Document;
  /** The number of the claim, which is also the version of the chunks that it produces. */
  readonly version: number;
  /** Attempts before this one. */
  readonly attempts: number;
}

/** What was found out about a document while its chunks were made. */
interface IndexedDocument extends Pick<ExtractionResult, 'language' | 'warnings'> {
  readonly claim: Claim;
}

/**
 * The operations of a claim's holder. They do not change a document whose claim is lost: replaced,
 * deleted, or claimed by another process after the lease had expired.
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
      // A document that is locked by someone else keeps the others from nothing: its turn comes again.
      const ids = [...(await this.lockHeld(manager, claims, 'skip_locked'))];
      await manager.update(Document, { id: In(ids) }, { leaseUntil });
    });
  }

  /**
   * Locks the documents whose claims are not lost, and returns their ids.
   *
   * @param onLocked `skip_locked` leaves out those that others have locked, instead of waiting
   */
  async lockHeld(
    manager: EntityManager,
    claims: readonly Claim[],
    onLocked?: 'skip_locked',
  ): Promise<Set<string>> {
    const documents = await manager.find(Document, {
      select: { id: true },
      where: claims.map((claim) => ({ ...toHeld(claim), status: 'processing' as const })),
      order: { id: 'ASC' },
      ...rowLock(manager.dataSource, onLocked),
    });
    return new Set(documents.map(({ id }) => id));
  }

  /** Makes the new chunks searchable instead of the old ones, atomically. */
  async publish(
    documents: readonly IndexedDocument[],
    limits: Pick<Document, 'chunkSize' | 'chunkOverlap'>,
  ): Promise<void> {
    const now = new Date();
    // One statement for all documents of a language.
    const groups = Map.groupBy(documents, ({ claim: { document }, language, warnings }) =>
      JSON.stringify({
        language: document.declaredLanguage ?? language,
        warnings: warnings.map(storableJson),
      }),
    );
    await this.unitOfWork.run(async (manager) => {
      for (const [columns, group] of groups) {
        const claims = group.map(({ claim }) => toHeld(claim));
        await this.transitions.applyToClaims(manager, 'publish', claims, {
          ...limits,
          ...(parseJson(columns) as Pick<Document, 'language' | 'warnings'>),
          version: () => 'claim',
          chunkCount: () =>
            '(SELECT COUNT(*) FROM chunks WHERE document_id = documents.id AND version = claim)',
          indexedAt: now,
          updatedAt: now,
        });
      }
    });
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

  /** After an attempt that failed for an unknown reason: queues another one, at most MAX_ATTEMPTS. */
  async retry(claim: Claim): Promise<void> {
    if (claim.attempts + 1 >= MAX_ATTEMPTS) {
      await this.fail(claim, { code: 'parse_failed', message: 'The document could not be read.' });
      return;
    }
    await this.requeue(claim, {
      nextAttemptAt: await this.afterNow(BACKOFF_MS * BACKOFF_FACTOR ** claim.attempts),
    });
  }

  /** After an outage: queues another attempt, and does not count this one. */
  async postpone(claim: Claim): Promise<void> {
    const nextAttemptAt = await this.afterNow(OUTAGE_BACKOFF_MS);
    await this.requeue(claim, { attempts: claim.attempts, nextAttemptAt });
  }

  /** Queues the document again as it was before the claim. */
  async release(claim: Claim): Promise<void> {
    await this.requeue(claim, { attempts: claim.attempts });
  }

  /** Like `release`, but a group is then indexed one by one, and a single document as a long one. */
  async moveToSlowerLane(claims: readonly Claim[]): Promise<void> {
    const lane = claims.length > 1 ? 'single' : 'long';
    for (const claim of claims) await this.requeue(claim, { attempts: claim.attempts, lane });
  }

  private async requeue(claim: Claim, columns: QueryDeepPartialEntity<Document>): Promise<void> {
    await this.unitOfWork.run((manager) =>
      this.transitions.applyToClaims(manager, 'requeue', [toHeld(claim)], columns),
    );
  }

  private async afterNow(milliseconds: number): Promise<Date> {
    return after(await databaseNow(this.documents.manager), milliseconds);
  }
}

const toHeld = ({ document, version }: Claim) => ({
  id: document.id,
  kbId: document.kbId,
  claim: version,
});

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);
