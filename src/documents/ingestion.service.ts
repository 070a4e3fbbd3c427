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
import type { IndexingLane } from './document.entity.js';
import { DocumentContent } from './document-content.entity.js';
import type { ChunkLimits, ExtractedChunk } from './extraction/extract.js';
import { Extractor } from './extraction/extractor.js';
import { TakesLong } from './extraction/takes-long.js';
import { Unreadable } from './extraction/unreadable.js';
import { IndexingTurns } from './indexing-turns.js';
import { Claim, IngestionQueue, LEASE_MS } from './ingestion-queue.js';
import { isOutage } from './outage.js';

const POLL_INTERVAL_MS = 2000;
/** Documents, or groups of small ones, that one process indexes at a time. */
const CONCURRENCY = 3;
/** How many of them may take long: one place at least is free again in a moment. */
const MAX_LONG = CONCURRENCY - 1;
/** What takes longer to store than a moment. */
const LONG_CHUNKS = 1000;
const LANES: readonly IndexingLane[] = ['group', 'single', 'long'];
/** How soon a database that was away is asked again. */
const OUTAGE_RETRY_MS = 1000;
/** Rows, and characters, in one insert, so that other requests and writers get their turn. */
const BATCH = 100;
const BATCH_LENGTH = 100_000;

interface Extracted {
  readonly claim: Claim;
  readonly chunks: ExtractedChunk[];
}

/** Documents of one knowledge base that are being indexed. */
interface Job {
  readonly claims: readonly Claim[];
  /** Whether it has one of the places for what takes long. */
  long: boolean;
}

/** Indexes what comes in, in the background. */
@Injectable()
export class IngestionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(IngestionService.name);
  private readonly running = new Map<Job, Promise<void>>();
  private timer?: NodeJS.Timeout;
  private claiming?: Promise<void>;
  private wakeAgain = false;
  private stopping = false;

  constructor(
    @InjectRepository(DocumentContent) private readonly contents: Repository<DocumentContent>,
    private readonly queue: IngestionQueue,
    private readonly turns: IndexingTurns,
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
        const own = [...this.running.keys()].flatMap(({ claims }) => claims);
        const lanes = this.hasRoomForLong() ? LANES : LANES.filter((lane) => lane !== 'long');
        const claims = await this.queue.claim(
          own.map(({ document }) => document.id),
          lanes,
        );
        if (claims.length === 0) break;
        this.begin(claims);
      }
    }
  }

  private begin(claims: readonly Claim[]): void {
    const job = { claims, long: claims.some(({ document }) => document.lane === 'long') };
    const work = this.process(job)
      .catch((error: unknown) => {
        this.logger.error(error);
      })
      .finally(() => {
        this.running.delete(job);
        this.wake();
      });
    this.running.set(job, work);
  }

  private hasRoomForLong(): boolean {
    return [...this.running.keys()].filter(({ long }) => long).length < MAX_LONG;
  }

  /** A group is never long: what is wrong with one of it is no reason for the others to wait. */
  private mayTakeLong(job: Job): boolean {
    if (job.claims.length === 1 && !job.long) job.long = this.hasRoomForLong();
    return job.long;
  }

  private async process(job: Job): Promise<void> {
    const { claims } = job;
    const [kbId = ''] = claims.map(({ document }) => document.kbId);
    const begun = performance.now();
    const charge = () => this.turns.charge(kbId, performance.now() - begun);
    const renewal = setInterval(() => {
      this.queue.renew(claims).catch((error: unknown) => {
        this.logger.warn(error);
      });
    }, LEASE_MS / 3);
    try {
      await this.ingest(kbId, job);
      await charge();
    } catch (error) {
      this.log(error);
      // Before it can be claimed again, so that others come first.
      await charge().catch((failure: unknown) => {
        this.log(failure);
      });
      if (error instanceof TakesLong) await this.queue.turnAway(claims);
      else for (const claim of claims) await this.giveBack(claim, error);
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

  private async ingest(kbId: string, job: Job): Promise<void> {
    const { claims } = job;
    if (claims.some((claim) => this.queue.isExhausted(claim))) {
      throw new Unreadable('parse_failed', 'Each attempt to read the document was cut short.');
    }
    const { chunkSize, chunkOverlap } = await this.settings.of(kbId);
    const made = await this.extract(job, { chunkSize, chunkOverlap });
    if (made.length === 0) return;
    const chunkCount = made.reduce((sum, { chunks }) => sum + chunks.length, 0);
    if (chunkCount > LONG_CHUNKS && !this.mayTakeLong(job)) throw new TakesLong();
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
  private async extract(job: Job, cut: ChunkLimits): Promise<Extracted[]> {
    const { claims } = job;
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
      () => this.mayTakeLong(job),
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
    const isExpected = error instanceof Unreadable || error instanceof TakesLong;
    if (!isExpected && !this.stopping) this.logger.error(error);
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
      });
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
