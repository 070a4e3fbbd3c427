import {
  BeforeApplicationShutdown,
  Injectable,
  Logger,
  OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { newId } from '../http/type-id.js';
import { SearchIndex } from '../search/search-index.js';
import { Chunk } from './chunk.entity.js';
import { ChunkPurge } from './chunk-purge.js';
import { DocumentContent } from './document-content.entity.js';
import { Document } from './document.entity.js';
import { ExtractedChunk } from './extraction/extract.js';
import { ExtractionTimeout, Extractor } from './extraction/extractor.js';

const POLL_INTERVAL_MS = 2000;
const LEASE_MS = 15_000;
const MAX_ATTEMPTS = 3;
/** Rows in one insert, so that other writers get their turn. */
const BATCH = 100;

/** A document and the right to index it, until the lease ends. */
interface Claim {
  readonly document: Document;
  readonly version: number;
}

/**
 * Indexes what comes in, in the background. The queue is the documents table: a process claims a
 * document by a lease, so that one that dies loses only its turn.
 */
@Injectable()
export class IngestionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(IngestionService.name);
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private wakeAgain = false;
  private stopping = false;

  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    @InjectRepository(DocumentContent) private readonly contents: Repository<DocumentContent>,
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
    await this.running;
  }

  /** There may be work. */
  wake(): void {
    this.wakeAgain = true;
    this.running ??= this.drain()
      .catch((error: unknown) => {
        this.logger.error(error);
      })
      .finally(() => (this.running = undefined));
  }

  private async drain(): Promise<void> {
    while (this.wakeAgain) {
      this.wakeAgain = false;
      const claim = this.stopping ? undefined : await this.claim();
      if (claim) {
        await this.process(claim);
        this.wakeAgain = true;
      }
    }
  }

  private async claim(): Promise<Claim | undefined> {
    const now = new Date();
    const claimable = [
      { state: 'active' as const, status: 'pending' as const },
      { state: 'active' as const, status: 'processing' as const, leaseUntil: LessThan(now) },
    ];
    const document = await this.documents.findOne({ where: claimable, order: { id: 'ASC' } });
    if (!document) return undefined;
    const version = document.claim + 1;
    const { affected } = await this.unitOfWork.run((manager) =>
      manager.update(
        Document,
        // The claim count is the lock: of two that saw the same row one updates it.
        { id: document.id, state: 'active', claim: document.claim },
        {
          status: 'processing',
          claim: version,
          attempts: document.attempts + 1,
          leaseUntil: new Date(now.getTime() + LEASE_MS),
        },
      ),
    );
    if (affected === 1) return { document, version };
    // Somebody else was quicker; there may be another one.
    this.wakeAgain = true;
    return undefined;
  }

  private async process(claim: Claim): Promise<void> {
    const renewal = setInterval(() => {
      this.renew(claim).catch((error: unknown) => {
        this.logger.warn(error);
      });
    }, LEASE_MS / 3);
    try {
      if (claim.document.attempts >= MAX_ATTEMPTS) {
        // Each attempt before has ended with its process.
        await this.fail(claim, 'parse_failed', 'The document could not be read.');
        return;
      }
      const chunks = await this.extract(claim.document);
      if (chunks.length === 0) {
        await this.fail(claim, 'no_text_extracted', 'The document has no text.');
        return;
      }
      await this.store(claim, chunks);
      await this.index.add(claim.document.kbId, claim.document.id, claim.version);
      await this.publish(claim, chunks.length);
    } catch (error) {
      if (this.stopping) return;
      if (error instanceof ExtractionTimeout) {
        await this.fail(claim, 'parse_timeout', 'Reading the document took too long.');
        return;
      }
      this.logger.error(error);
      await this.retryOrFail(claim);
    } finally {
      clearInterval(renewal);
      await this.purge.removeStale(claim.document.id);
    }
  }

  private async extract(document: Document): Promise<ExtractedChunk[]> {
    const { content } = await this.contents.findOneByOrFail({ documentId: document.id });
    return this.extractor.extract({ mimeType: document.mimeType, content });
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

  /** The one step that makes the new chunks findable and the old ones not. */
  private async publish({ document, version }: Claim, chunkCount: number): Promise<void> {
    const now = new Date();
    await this.unitOfWork.run((manager) =>
      manager.update(
        Document,
        { id: document.id, claim: version, status: 'processing' },
        {
          status: 'ready',
          version,
          chunkCount,
          errorCode: null,
          errorMessage: null,
          leaseUntil: null,
          indexedAt: now,
          updatedAt: now,
        },
      ),
    );
  }

  private async fail({ document, version }: Claim, code: string, message: string): Promise<void> {
    await this.unitOfWork.run((manager) =>
      manager.update(
        Document,
        { id: document.id, claim: version, status: 'processing' },
        {
          status: 'failed',
          errorCode: code,
          errorMessage: message,
          leaseUntil: null,
          updatedAt: new Date(),
        },
      ),
    );
  }

  private async retryOrFail(claim: Claim): Promise<void> {
    if (claim.document.attempts + 1 >= MAX_ATTEMPTS) {
      await this.fail(claim, 'parse_failed', 'The document could not be read.');
      return;
    }
    // Given back by letting the lease end, which also spaces the attempts.
    this.logger.warn(`Indexing ${claim.document.id} failed and will be tried again`);
  }

  private async renew({ document, version }: Claim): Promise<void> {
    await this.unitOfWork.run((manager) =>
      manager.update(
        Document,
        { id: document.id, claim: version, status: 'processing' },
        { leaseUntil: new Date(Date.now() + LEASE_MS) },
      ),
    );
  }
}
