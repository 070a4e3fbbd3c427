import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { SearchIndex } from '@latchkey/ranking/search-index';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { SettingsService } from '../knowledge-bases/settings/settings.service.js';
import { PassagePurge } from './passage-purge.js';
import { PassageStore, type ExtractedDocument } from './passage-store.js';
import { ContentMissingError } from './contents/content-store.js';
import { DocumentContents } from './contents/document-contents.js';
import type { Lease } from '../knowledge-bases/job-queue.js';
import { Job } from '../platform/jobs/job.js';
import { DocumentLeases } from './document-leases.js';
import type { Document } from './document.entity.js';
import { type IndexingTask, IngestionQueue, isRecognition, MAX_TASKS } from './ingestion-queue.js';
import { PageRecognition } from './recognition/page-recognition.js';
import { Extractor } from './ingestion/extractor.js';
import { TakesLong } from './ingestion/takes-long.js';
import { Unreadable } from '@latchkey/extraction/unreadable';
import { MAX_ATTEMPTS } from './indexing-limits.js';
import { isOutage } from './outage.js';

const POLL_INTERVAL_MS = 2000;
/** A document with more passages takes long to store. */
const MANY_PASSAGES = 1000;
/** Pause between attempts to write while the database is unavailable. */
const OUTAGE_RETRY_MS = 1000;

const LOST = new Unreadable('parse_failed', 'The original of the document is no longer stored.');

/** Extracts, stores, indexes and publishes leased documents, or ends their leases by the error. */
@Injectable()
export class DocumentIndexer {
  private readonly logger = new Logger(DocumentIndexer.name);

  constructor(
    private readonly contents: DocumentContents,
    private readonly leases: DocumentLeases,
    private readonly queue: IngestionQueue,
    private readonly settings: SettingsService,
    private readonly extractor: Extractor,
    private readonly recognition: PageRecognition,
    private readonly passages: PassageStore,
    private readonly index: SearchIndex,
    private readonly purge: PassagePurge,
  ) {}

  /** @param signal aborted when the service stops: the documents are then queued again */
  @Job({ every: POLL_INTERVAL_MS, queue: IngestionQueue, concurrency: MAX_TASKS })
  async process(leases: IndexingTask, signal: AbortSignal): Promise<void> {
    const [first] = leases;
    if (!first) return;
    const { kbId } = first.row;
    const startedAt = performance.now();
    const charge = () => this.queue.charge(first, performance.now() - startedAt);
    try {
      await this.ingest(kbId, leases, signal);
      await charge();
    } catch (error) {
      this.log(error, signal);
      // Charge before the documents can be leased again: other knowledge bases then come first.
      await charge().catch((failure: unknown) => {
        this.log(failure, signal);
      });
      if (error instanceof TakesLong) await this.leases.moveToSlowerMode(leases);
      else for (const lease of leases) await this.endLease(lease, error, signal);
    } finally {
      const ids = leases.map(({ row }) => row.id);
      await this.purge.removeStale(ids, signal);
    }
  }

  private async ingest(kbId: string, leases: IndexingTask, signal: AbortSignal): Promise<void> {
    if (leases.some(({ job }) => job.attempts > MAX_ATTEMPTS)) {
      throw new Unreadable('parse_failed', 'Every attempt to read the document was interrupted.');
    }
    const settings = await this.settings.load(kbId);
    const { chunkSize, chunkOverlap } = settings;
    let extracted = await this.read(leases, settings, signal);
    for (const { lease, passages } of extracted) {
      // A document that is all pictures has nothing to publish yet.
      if (passages.length === 0) await this.leases.recogniseLater(lease);
    }
    extracted = extracted.filter(({ passages }) => passages.length > 0);
    if (extracted.length === 0) return;
    const passageCount = extracted.reduce((sum, { passages }) => sum + passages.length, 0);
    if (passageCount > MANY_PASSAGES && !this.queue.mayTakeLong(leases)) throw new TakesLong();
    await this.passages.store(extracted);
    await this.index.add(
      kbId,
      extracted.map(({ lease: { row }, language }) => ({
        documentId: row.id,
        version: row.lastVersion,
        language: row.declaredLanguage ?? language,
      })),
    );
    await this.leases.publish(extracted, { chunkSize, chunkOverlap });
  }

  /** Recognises the next pages of a document whose turn it is for that, and extracts the text. */
  private async read(
    leases: IndexingTask,
    settings: Settings,
    signal: AbortSignal,
  ): Promise<ExtractedDocument[]> {
    const [lease] = leases;
    if (!lease || !isRecognition(lease)) return this.extract(leases, settings, signal);
    // The pages may be known from an earlier attempt; then the scan need not be read again.
    let pages = this.recognition.takeWaiting(lease.row, settings);
    if (!pages) {
      const extracted = await this.extract(leases, settings, signal);
      pages = extracted[0]?.pagesToRecognise ?? [];
      if (pages.length === 0) return extracted;
    }
    try {
      await this.recognition.recognise(lease, pages, signal);
    } catch (error) {
      // Otherwise every attempt during the outage would read the whole document again.
      if (isOutage(error)) this.recognition.keepWaiting(lease.row, settings, pages);
      throw error;
    }
    const extracted = await this.extract(leases, settings, signal);
    for (const { pagesToRecognise } of extracted) {
      this.recognition.keepWaiting(lease.row, settings, pagesToRecognise);
    }
    return extracted;
  }

  /** Ends the leases of documents that cannot be read, and returns the others. */
  private async extract(
    leases: IndexingTask,
    { chunkSize, chunkOverlap, ocr, ocrMaxPages }: Settings,
    signal: AbortSignal,
  ): Promise<ExtractedDocument[]> {
    const contents = await this.contents.read(leases.map(({ row }) => row.id));
    const readable: { lease: Lease<Document>; content: Buffer }[] = [];
    for (const lease of leases) {
      const content = contents.get(lease.row.id);
      if (Buffer.isBuffer(content)) readable.push({ lease, content });
      else if (content instanceof ContentMissingError) await this.endLease(lease, LOST, signal);
      // A missing entry means that the document was deleted.
    }
    if (readable.length === 0) return [];
    const rows = readable.map(({ lease: { row } }) => row);
    if (!leases.some(isRecognition)) await this.recognition.forgetFailed(rows);
    const recognised = await this.recognition.findPages(rows);
    const results = await this.extractor.extract(
      readable.map(({ lease: { row }, content }) => ({
        mimeType: row.mimeType,
        charset: row.charset,
        content,
        chunkSize,
        chunkOverlap,
        ocr,
        maxPages: ocrMaxPages,
        recognised: recognised.get(row.id) ?? [],
      })),
      () => this.queue.mayTakeLong(leases),
      signal,
    );
    const extracted: ExtractedDocument[] = [];
    for (const [index, { lease }] of readable.entries()) {
      const result = results[index];
      if (result?.status === 'fulfilled') {
        extracted.push({ lease, ...result.value });
      } else {
        this.log(result?.reason, signal);
        await this.endLease(lease, result?.reason, signal);
      }
    }
    return extracted;
  }

  /** Retries while the database is unavailable: if the lease expired, the attempt would count. */
  private async endLease(
    lease: Lease<Document>,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      try {
        if (signal.aborted) await this.leases.release(lease);
        else if (error instanceof Unreadable) await this.leases.fail(lease, error);
        else if (isOutage(error)) await this.leases.postpone(lease);
        else await this.leases.retry(lease);
        return;
      } catch (failure) {
        if (signal.aborted || !isOutage(failure)) throw failure;
        await setTimeout(OUTAGE_RETRY_MS);
      }
    }
  }

  private log(error: unknown, signal: AbortSignal): void {
    const isExpected = error instanceof Unreadable || error instanceof TakesLong;
    if (!isExpected && !signal.aborted) this.logger.error(error);
  }
}
