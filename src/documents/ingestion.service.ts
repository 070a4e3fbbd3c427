import { setTimeout } from 'node:timers/promises';
import {
  BeforeApplicationShutdown,
  Injectable,
  Logger,
  OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { newId } from '../http/type-id.js';
import { SearchIndex } from '../search/search-index.js';
import { SettingsService } from '../settings/settings.service.js';
import { Chunk } from './chunk.entity.js';
import { ChunkPurge } from './chunk-purge.js';
import { DocumentContent } from './document-content.entity.js';
import type { ExtractedChunk } from './extraction/extract.js';
import { Extractor } from './extraction/extractor.js';
import { Unreadable } from './extraction/unreadable.js';
import { Claim, IngestionQueue, LEASE_MS } from './ingestion-queue.js';
import { isOutage } from './outage.js';

const POLL_INTERVAL_MS = 2000;
/** Documents that one process indexes at a time. */
const CONCURRENCY = 2;
/** How soon a database that was away is asked again. */
const OUTAGE_RETRY_MS = 1000;
/** Rows in one insert, so that other writers get their turn. */
const BATCH = 100;

/** Indexes what comes in, in the background. */
@Injectable()
export class IngestionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(IngestionService.name);
  private readonly running = new Map<Claim, Promise<void>>();
  private timer?: NodeJS.Timeout;
  private claiming?: Promise<void>;
  private wakeAgain = false;
  private stopping = false;

  constructor(
    @InjectRepository(DocumentContent) private readonly contents: Repository<DocumentContent>,
    private readonly queue: IngestionQueue,
    private readonly settings: SettingsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly extractor: Extractor,
    private readonly index: SearchIndex,
    private readonly purge: ChunkPurge,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.wake();
    }, POLL_INTERVAL_MS);
    this.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.claiming;
    await Promise.all(this.running.values());
  }

  /** There may be work. */
  wake(): void {
    this.wakeAgain = true;
    this.claiming ??= this.claimAll()
      .catch((error: unknown) => {
        this.logger.error(error);
      })
      .finally(() => (this.claiming = undefined));
  }

  private async claimAll(): Promise<void> {
    while (this.wakeAgain) {
      this.wakeAgain = false;
      while (!this.stopping && this.running.size < CONCURRENCY) {
        const own = Array.from(this.running.keys(), ({ document }) => document.id);
        const claim = await this.queue.claim(own);
        if (!claim) break;
        this.begin(claim);
      }
    }
  }

  private begin(claim: Claim): void {
    const work = this.process(claim)
      .catch((error: unknown) => {
        this.logger.error(error);
      })
      .finally(() => {
        this.running.delete(claim);
        this.wake();
      });
    this.running.set(claim, work);
  }

  private async process(claim: Claim): Promise<void> {
    const renewal = setInterval(() => {
      this.queue.renew(claim).catch((error: unknown) => {
        this.logger.warn(error);
      });
    }, LEASE_MS / 3);
    try {
      await this.ingest(claim);
    } catch (error) {
      if (!(error instanceof Unreadable) && !this.stopping) this.logger.error(error);
      await this.giveBack(claim, error);
    } finally {
      clearInterval(renewal);
      await this.purge.removeStale(claim.document.id);
    }
  }

  /** Waits for the database, where that is what failed: a lease that lapses costs an attempt. */
  private async giveBack(claim: Claim, error: unknown): Promise<void> {
    for (;;) {
      try {
        if (this.stopping) await this.queue.release(claim);
        else if (error instanceof Unreadable) await this.queue.fail(claim, error);
        else if (isOutage(error)) await this.queue.postpone(claim);
        else await this.queue.retry(claim);
        return;
      } catch (failure) {
        if (this.stopping || !isOutage(failure)) throw failure;
        await setTimeout(OUTAGE_RETRY_MS);
      }
    }
  }

  private async ingest(claim: Claim): Promise<void> {
    const { id, kbId, mimeType } = claim.document;
    if (this.queue.isExhausted(claim)) {
      throw new Unreadable('parse_failed', 'Each attempt to read the document was cut short.');
    }
    const { chunkSize, chunkOverlap } = await this.settings.of(kbId);
    const { content } = await this.contents.findOneByOrFail({ documentId: id });
    const chunks = await this.extractor.extract({ mimeType, content, chunkSize, chunkOverlap });
    await this.store(claim, chunks);
    await this.index.add(kbId, id, claim.version);
    await this.queue.publish(claim, { chunkCount: chunks.length, chunkSize, chunkOverlap });
  }

  private async store({ document, version }: Claim, chunks: ExtractedChunk[]): Promise<void> {
    for (let start = 0; start < chunks.length; start += BATCH) {
      const rows = chunks.slice(start, start + BATCH).map((chunk, offset) => ({
        ...chunk,
        id: newId('chunk'),
        kbId: document.kbId,
        documentId: document.id,
        version,
        position: start + offset,
      }));
      await this.unitOfWork.run((manager) => manager.insert(Chunk, rows));
    }
  }
}
