import { Injectable } from '@nestjs/common';
import { sqlNow } from '../platform/database/dialect.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import type { Lease, Release } from '../knowledge-bases/job-queue.js';
import { parseJson } from '@latchkey/text/parse-json';
import { BACKOFF_FACTOR, BACKOFF_MS, MAX_ATTEMPTS } from './indexing-limits.js';
import { DocumentTransitions } from './document-transitions.js';
import { findDate, publishedDate } from './found-date.js';
import type { Document } from './document.entity.js';
import { storableJson } from './storable-json.js';
import type { DocumentDate } from '@latchkey/ranking/search-index';
import type { ExtractionResult } from '@latchkey/extraction/extract';
import type { Unreadable } from '@latchkey/extraction/unreadable';

/** The pause after an attempt that failed because of the machine or the database. */
const OUTAGE_BACKOFF_MS = 5000;

/** After a turn of text recognition, other documents come first. */
const NEXT_PAGES: Release = { kind: 'recognition', goesLast: true, isUncounted: true };

/** What indexing found out about a document. */
interface IndexedDocument extends Pick<
  ExtractionResult,
  'language' | 'warnings' | 'date' | 'passages' | 'pagesToRecognise'
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
    const groups = Map.groupBy(documents, ({ lease: { row }, language, warnings, ...extracted }) =>
      JSON.stringify({
        language: row.declaredLanguage ?? language,
        warnings: warnings.map(storableJson),
        found: findDate(row.title, extracted),
      }),
    );
    await this.unitOfWork.run(async (manager) => {
      for (const [columns, group] of groups) {
        // Documents with pages to recognise are indexed one by one.
        const part = group.find(({ pagesToRecognise }) => pagesToRecognise.length > 0);
        const leases = group.map(({ lease }) => lease);
        const name = part ? 'publishPart' : 'publish';
        const { found, ...described } = parseJson(columns) as Pick<
          Document,
          'language' | 'warnings'
        > & { readonly found: DocumentDate | null };
        const indexed = {
          ...limits,
          ...(part && withoutAttempt(part.lease)),
          ...described,
          ...publishedDate(found),
          version: () => 'last_version',
          replacedAt: null,
          searchableNumber: () => 'content_number',
          contentSince: () =>
            `CASE WHEN replaced_at IS NULL THEN content_since ELSE ${sqlNow(manager.dataSource)} END`,
          passageCount: () =>
            '(SELECT COUNT(*) FROM passages WHERE document_id = documents.id AND version = last_version)',
          indexedAt: now,
          updatedAt: now,
        };
        await this.transitions.applyToLeased(manager, name, leases, indexed, part && NEXT_PAGES);
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
    const { attempts } = lease.job;
    if (attempts >= MAX_ATTEMPTS) {
      await this.fail(lease, { code: 'parse_failed', message: 'The document could not be read.' });
      return;
    }
    await this.requeue(lease, { pauseMs: BACKOFF_MS * BACKOFF_FACTOR ** (attempts - 1) });
  }

  /** After an outage: queues another attempt, and does not count this one. */
  async postpone(lease: Lease<Document>): Promise<void> {
    await this.requeue(lease, { isUncounted: true, pauseMs: OUTAGE_BACKOFF_MS });
  }

  /** Queues the document again as it was before the lease. */
  async release(lease: Lease<Document>): Promise<void> {
    await this.requeue(lease, { isUncounted: true });
  }

  /** Like `release`, but a group is then indexed one by one, and a single document as a long one. */
  async moveToSlowerMode(leases: readonly Lease<Document>[]): Promise<void> {
    const kind = leases.length > 1 ? 'single' : 'long';
    for (const lease of leases) await this.requeue(lease, { isUncounted: true, kind });
  }

  /** Queues a document for text recognition when nothing in it can be searched yet. */
  async recogniseLater(lease: Lease<Document>): Promise<void> {
    await this.requeue(lease, { isUncounted: true, kind: 'recognition' });
  }

  private async requeue(lease: Lease<Document>, release: Release): Promise<void> {
    const columns = release.isUncounted ? withoutAttempt(lease) : {};
    await this.unitOfWork.run((manager) =>
      this.transitions.applyToLeased(manager, 'requeue', [lease], columns, release),
    );
  }
}

/** The document shows the number of attempts that the job counts. */
const withoutAttempt = ({ job }: Lease<Document>) => ({ attempts: job.attempts - 1 });
