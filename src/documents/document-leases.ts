import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { databaseNow } from '../platform/database/database-now.js';
import { sqlNow } from '../platform/database/dialect.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { Lease } from '../platform/jobs/leased-queue.js';
import { parseJson } from '@latchkey/text/parse-json';
import { BACKOFF_FACTOR, BACKOFF_MS, MAX_ATTEMPTS } from './indexing-limits.js';
import { DocumentTransitions } from './document-transitions.js';
import { Document } from './document.entity.js';
import { storableJson } from './storable-json.js';
import type { ExtractionResult } from '@latchkey/extraction/extract';
import type { Unreadable } from '@latchkey/extraction/unreadable';

/** The pause after an attempt that failed because of the machine or the database. */
const OUTAGE_BACKOFF_MS = 5000;

/** What indexing found out about a document. */
interface IndexedDocument extends Pick<
  ExtractionResult,
  'language' | 'warnings' | 'pagesToRecognise'
> {
  readonly lease: Lease<Document>;
}

/**
 * Ends leases. A document whose lease was lost is not changed: it was replaced, deleted, or leased by
 * another process.
 */
@Injectable()
export class DocumentLeases {
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
    const groups = Map.groupBy(documents, ({ lease: { row }, language, warnings }) =>
      JSON.stringify({
        language: row.declaredLanguage ?? language,
        warnings: warnings.map(storableJson),
      }),
    );
    await this.unitOfWork.run(async (manager) => {
      for (const [columns, group] of groups) {
        // Documents with pages to recognise are indexed one by one.
        const part = group.find(({ pagesToRecognise }) => pagesToRecognise.length > 0);
        const leases = group.map(({ lease }) => lease);
        await this.transitions.applyToLeased(manager, part ? 'publishPart' : 'publish', leases, {
          ...limits,
          ...(part && { indexingMode: 'recognition', attempts: part.lease.row.attempts }),
          ...(parseJson(columns) as Pick<Document, 'language' | 'warnings'>),
          version: () => 'lease',
          replacedAt: null,
          contentSince: () =>
            `CASE WHEN replaced_at IS NULL THEN content_since ELSE ${sqlNow(manager.dataSource)} END`,
          passageCount: () =>
            '(SELECT COUNT(*) FROM passages WHERE document_id = documents.id AND version = lease)',
          indexedAt: now,
          updatedAt: now,
        });
      }
    });
  }

  async fail(
    lease: Lease<Document>,
    { code, message }: Pick<Unreadable, 'code' | 'message'>,
  ): Promise<void> {
    await this.unitOfWork.run((manager) =>
      this.transitions.applyToLeased(manager, 'fail', [lease], {
        errorCode: code,
        errorMessage: message,
        updatedAt: new Date(),
      }),
    );
  }

  /** After an attempt that failed for an unknown reason: queues another one, at most MAX_ATTEMPTS. */
  async retry(lease: Lease<Document>): Promise<void> {
    const { attempts } = lease.row;
    if (attempts + 1 >= MAX_ATTEMPTS) {
      await this.fail(lease, { code: 'parse_failed', message: 'The document could not be read.' });
      return;
    }
    await this.requeue(lease, {
      dueAt: await this.afterNow(BACKOFF_MS * BACKOFF_FACTOR ** attempts),
    });
  }

  /** After an outage: queues another attempt, and does not count this one. */
  async postpone(lease: Lease<Document>): Promise<void> {
    const dueAt = await this.afterNow(OUTAGE_BACKOFF_MS);
    await this.requeue(lease, { attempts: lease.row.attempts, dueAt });
  }

  /** Queues the document again as it was before the lease. */
  async release(lease: Lease<Document>): Promise<void> {
    await this.requeue(lease, { attempts: lease.row.attempts });
  }

  /** Like `release`, but a group is then indexed one by one, and a single document as a long one. */
  async moveToSlowerMode(leases: readonly Lease<Document>[]): Promise<void> {
    const indexingMode = leases.length > 1 ? 'single' : 'long';
    for (const lease of leases) {
      await this.requeue(lease, { attempts: lease.row.attempts, indexingMode });
    }
  }

  /** Queues a document for text recognition when nothing in it can be searched yet. */
  async recogniseLater(lease: Lease<Document>): Promise<void> {
    await this.requeue(lease, { attempts: lease.row.attempts, indexingMode: 'recognition' });
  }

  private async requeue(
    lease: Lease<Document>,
    columns: QueryDeepPartialEntity<Document>,
  ): Promise<void> {
    await this.unitOfWork.run((manager) =>
      this.transitions.applyToLeased(manager, 'requeue', [lease], columns),
    );
  }

  private async afterNow(milliseconds: number): Promise<Date> {
    return after(await databaseNow(this.documents.manager), milliseconds);
  }
}

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);
