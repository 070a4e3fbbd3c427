import { setTimeout } from 'node:timers/promises';
import {
  BeforeApplicationShutdown,
  Injectable,
  Logger,
  OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { newId } from '../http/type-id.js';
import { SearchIndex } from '../search/search-index.js';
import { SettingsService } from '../settings/settings.service.js';
import { Chunk } from './chunk.entity.js';
import { ChunkPurge } from './chunk-purge.js';
import { DocumentContent } from './document-content.entity.js';
import type { ChunkLimits, ExtractedChunk } from './extraction/extract.js';
import { Extractor } from './extraction/extractor.js';
import { Unreadable } from './extraction/unreadable.js';
import { Claim, IngestionQueue, LEASE_MS } from './ingestion-queue.js';
import { isOutage } from './outage.js';

const POLL_INTERVAL_MS = 2000;
/** Documents, or groups of small ones, that one process indexes at a time. */
const CONCURRENCY = 2;
/** How soon a database that was away is asked again. */
const OUTAGE_RETRY_MS = 1000;
/** Rows, and characters, in one insert, so that other requests and writers get their turn. */
const BATCH = 100;
const BATCH_LENGTH = 100_000;

interface Extracted {
  readonly claim: Claim;
  readonly chunks: ExtractedChunk[];
}

/** Indexes what comes in, in the background. */
@Injectable()
export class IngestionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(IngestionService.name);
  private readonly running = new Map<readonly Claim[], Promise<void>>();
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
        const own = [...this.running.keys()].flat().map(({ document }) => document.id);
        const claims = await this.queue.claim(own);
        if (claims.length === 0) break;
        this.begin(claims);
      }
    }
  }

  private begin(claims: readonly Claim[]): void {
    const work = this.process(claims)
      .catch((error: unknown) => {
        this.logger.error(error);
      })
      .finally(() => {
        this.running.delete(claims);
        this.wake();
      });
    this.running.set(claims, work);
  }

  private async process(claims: readonly Claim[]): Promise<void> {
    const renewal = setInterval(() => {
      this.queue.renew(claims).catch((error: unknown) => {
        this.logger.warn(error);
      });
    }, LEASE_MS / 3);
    try {
      await this.ingest(claims);
    } catch (error) {
      this.log(error);
      for (const claim of claims) await this.giveBack(claim, error);
    } finally {
      clearInterval(renewal);
      await this.purge.removeStale(claims.map(({ document }) => document.id));
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

  /** @param claims of one knowledge base */
  private async ingest(claims: readonly Claim[]): Promise<void> {
    const [kbId = ''] = claims.map(({ document }) => document.kbId);
    if (claims.some((claim) => this.queue.isExhausted(claim))) {
      throw new Unreadable('parse_failed', 'Each attempt to read the document was cut short.');
    }
    const { chunkSize, chunkOverlap } = await this.settings.of(kbId);
    const made = await this.extract(claims, { chunkSize, chunkOverlap });
    if (made.length === 0) return;
    await this.store(made);
    await this.index.add(
      kbId,
      made.map(({ claim: { document, version } }) => ({ documentId: document.id, version })),
    );
    await this.queue.publish(
      made.map(({ claim, chunks }) => ({ claim, chunkCount: chunks.length })),
      { chunkSize, chunkOverlap },
    );
  }

  /** @returns what there is to index; documents that cannot be read are given back */
  private async extract(claims: readonly Claim[], cut: ChunkLimits): Promise<Extracted[]> {
    const ids = claims.map(({ document }) => document.id);
    const stored = await this.contents.findBy({ documentId: In(ids) });
    const contentOf = new Map(stored.map(({ documentId, content }) => [documentId, content]));
    // One that is gone is deleted.
    const there = claims.flatMap((claim) => {
      const content = contentOf.get(claim.document.id);
      return content ? { claim, content } : [];
    });
    if (there.length === 0) return [];
    const results = await this.extractor.extract(
      there.map(({ claim, content }) => ({ mimeType: claim.document.mimeType, content, ...cut })),
    );
    const made: Extracted[] = [];
    for (const [index, { claim }] of there.entries()) {
      const result = results[index];
      if (result?.status === 'fulfilled') {
        made.push({ claim, chunks: result.value });
      } else {
        this.log(result?.reason);
        await this.giveBack(claim, result?.reason);
      }
    }
    return made;
  }

  private log(error: unknown): void {
    if (!(error instanceof Unreadable) && !this.stopping) this.logger.error(error);
  }

  private async store(made: readonly Extracted[]): Promise<void> {
    const claims = made.map(({ claim }) => claim);
    for (const batch of batches(made)) {
      await this.unitOfWork.run(async (manager) => {
        // What was deleted meanwhile must not be in the way of the others.
        const held = await this.queue.lockHeld(manager, claims);
        const kept = batch.filter(({ documentId }) => held.has(documentId));
        if (kept.length === 0) return;
        await manager
          .createQueryBuilder()
          .insert()
          .into(Chunk)
          .values(kept)
          .updateEntity(false)
          .execute();
        // What makes the chunks findable takes them along to the disk.
      }, 'process');
    }
  }
}

type ChunkRow = Omit<Chunk, 'number' | 'document'>;

/** The rows of one insert after the other: those of a large document take long to make at once. */
function* batches(made: readonly Extracted[]): Generator<ChunkRow[]> {
  let batch: ChunkRow[] = [];
  let length = 0;
  for (const { claim, chunks } of made) {
    const { kbId, id: documentId } = claim.document;
    for (const [position, chunk] of chunks.entries()) {
      const { version } = claim;
      batch.push({ ...chunk, id: newId('chunk'), kbId, documentId, version, position });
      length += chunk.text.length;
      if (batch.length < BATCH && length < BATCH_LENGTH) continue;
      yield batch;
      [batch, length] = [[], 0];
    }
  }
  if (batch.length > 0) yield batch;
}
