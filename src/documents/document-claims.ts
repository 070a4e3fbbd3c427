import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { databaseNow } from '../platform/database/database-now.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { Claim } from '../platform/jobs/leased-queue.js';
import { parseJson } from '@latchkey/text/parse-json';
import { BACKOFF_FACTOR, BACKOFF_MS, MAX_ATTEMPTS } from './indexing-limits.js';
import { DocumentTransitions } from './document-transitions.js';
import { Document } from './document.entity.js';
import { storableJson } from './storable-json.js';
import type { ExtractionResult } from '@latchkey/extraction/extract';
import type { Unreadable } from '@latchkey/extraction/unreadable';

/** The pause after an attempt that failed because of the machine or the database. */
const OUTAGE_BACKOFF_MS = 5000;

/** What was found out about a document while its passages were made. */
interface IndexedDocument extends Pick<
  ExtractionResult,
  'language' | 'warnings' | 'pagesToRecognise'
> {
  readonly claim: Claim<Document>;
}

/**
 * How a claim ends. A document whose claim is lost is not changed: it was replaced, deleted, or claimed
 * by another process.
 */
@Injectable()
export class DocumentClaims {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    private readonly unitOfWork: UnitOfWork,
    private readonly transitions: DocumentTransitions,
  ) {}

  /** Makes the new passages searchable instead of the old ones, atomically. */
  async publish(
    documents: readonly IndexedDocument[],
    limits: Pick<Document, 'chunkSize' | 'chunkOverlap'>,
  ): Promise<void> {
    const now = new Date();
    // One statement for all documents of a language.
    const groups = Map.groupBy(documents, ({ claim: { row }, language, warnings }) =>
      JSON.stringify({
        language: row.declaredLanguage ?? language,
        warnings: warnings.map(storableJson),
      }),
    );
    await this.unitOfWork.run(async (manager) => {
      for (const [columns, group] of groups) {
        // Documents with pages to recognise are indexed one by one.
        const part = group.find(({ pagesToRecognise }) => pagesToRecognise.length > 0);
        const claims = group.map(({ claim }) => claim);
        await this.transitions.applyToClaims(manager, part ? 'publishPart' : 'publish', claims, {
          ...limits,
          ...(part && { indexingMode: 'recognition', attempts: part.claim.row.attempts }),
          ...(parseJson(columns) as Pick<Document, 'language' | 'warnings'>),
          version: () => 'claim',
          passageCount: () =>
            '(SELECT COUNT(*) FROM passages WHERE document_id = documents.id AND version = claim)',
          indexedAt: now,
          updatedAt: now,
        });
      }
    });
  }

  async fail(
    claim: Claim<Document>,
    { code, message }: Pick<Unreadable, 'code' | 'message'>,
  ): Promise<void> {
    await this.unitOfWork.run((manager) =>
      this.transitions.applyToClaims(manager, 'fail', [claim], {
        errorCode: code,
        errorMessage: message,
        updatedAt: new Date(),
      }),
    );
  }

  /** After an attempt that failed for an unknown reason: queues another one, at most MAX_ATTEMPTS. */
  async retry(claim: Claim<Document>): Promise<void> {
    const { attempts } = claim.row;
    if (attempts + 1 >= MAX_ATTEMPTS) {
      await this.fail(claim, { code: 'parse_failed', message: 'The document could not be read.' });
      return;
    }
    await this.requeue(claim, {
      dueAt: await this.afterNow(BACKOFF_MS * BACKOFF_FACTOR ** attempts),
    });
  }

  /** After an outage: queues another attempt, and does not count this one. */
  async postpone(claim: Claim<Document>): Promise<void> {
    const dueAt = await this.afterNow(OUTAGE_BACKOFF_MS);
    await this.requeue(claim, { attempts: claim.row.attempts, dueAt });
  }

  /** Queues the document again as it was before the claim. */
  async release(claim: Claim<Document>): Promise<void> {
    await this.requeue(claim, { attempts: claim.row.attempts });
  }

  /** Like `release`, but a group is then indexed one by one, and a single document as a long one. */
  async moveToSlowerMode(claims: readonly Claim<Document>[]): Promise<void> {
    const indexingMode = claims.length > 1 ? 'single' : 'long';
    for (const claim of claims) {
      await this.requeue(claim, { attempts: claim.row.attempts, indexingMode });
    }
  }

  /** Queues a document of pictures, of which nothing can be searched yet. */
  async recogniseLater(claim: Claim<Document>): Promise<void> {
    await this.requeue(claim, { attempts: claim.row.attempts, indexingMode: 'recognition' });
  }

  private async requeue(
    claim: Claim<Document>,
    columns: QueryDeepPartialEntity<Document>,
  ): Promise<void> {
    await this.unitOfWork.run((manager) =>
      this.transitions.applyToClaims(manager, 'requeue', [claim], columns),
    );
  }

  private async afterNow(milliseconds: number): Promise<Date> {
    return after(await databaseNow(this.documents.manager), milliseconds);
  }
}

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);
