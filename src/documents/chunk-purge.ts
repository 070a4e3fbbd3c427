import {
  BeforeApplicationShutdown,
  Injectable,
  Logger,
  OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, FindOptionsWhere, In, LessThanOrEqual, Not, Repository } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { KnowledgeBasePurge } from '../knowledge-bases/knowledge-base-purge.js';
import { SearchIndex } from '../search/search-index.js';
import { Chunk } from './chunk.entity.js';
import { Document } from './document.entity.js';

const DOCUMENT_BATCH = 100;
const CHUNK_BATCH = 200;

type Stopping = () => boolean;

/**
 * Removes chunks that are no longer findable, in batches in the background, from the index first.
 * What a stop leaves over is taken up at the next start.
 */
@Injectable()
export class ChunkPurge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ChunkPurge.name);
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private readonly stopping: Stopping = () => this.stopped;

  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    @InjectRepository(Chunk) private readonly chunks: Repository<Chunk>,
    private readonly unitOfWork: UnitOfWork,
    private readonly index: SearchIndex,
    knowledgeBases: KnowledgeBasePurge,
  ) {
    knowledgeBases.register((kbId, stopping) => this.removeKnowledgeBase(kbId, stopping));
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  /** Removes deleted documents. */
  start(): void {
    this.running = this.running
      .then(() => this.removeDeleted({}, this.stopping))
      .catch((error: unknown) => {
        this.logger.error(error);
      });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /** Removes the chunks of a document that belong to none but its findable version. */
  async removeStale(documentId: string): Promise<void> {
    const document = await this.documents.findOneBy({ id: documentId });
    if (!document) return;
    const { version, claim, status } = document;
    // The claim in progress is making its chunks, and so may later ones by now: neither is stale.
    const newest = status === 'processing' ? claim - 1 : claim;
    await this.removeChunks(
      document,
      version === null ? LessThanOrEqual(newest) : And(LessThanOrEqual(newest), Not(version)),
      this.stopping,
    );
  }

  private async removeDeleted(
    where: FindOptionsWhere<Document>,
    stopping: Stopping,
  ): Promise<void> {
    while (!stopping()) {
      const batch = await this.documents.find({
        select: { id: true, kbId: true },
        where: { ...where, state: 'deactivated' },
        take: DOCUMENT_BATCH,
      });
      if (batch.length === 0) return;
      for (const document of batch) {
        await this.removeChunks(document, undefined, stopping);
        if (stopping()) return;
        await this.unitOfWork.run((manager) =>
          manager.delete(Document, { id: document.id, state: 'deactivated' }),
        );
      }
    }
  }

  private async removeKnowledgeBase(kbId: string, stopping: Stopping): Promise<void> {
    await this.unitOfWork.run((manager) =>
      manager.update(Document, { kbId, state: 'active' }, { state: 'deactivated' }),
    );
    await this.removeDeleted({ kbId }, stopping);
    if (!stopping()) await this.index.drop(kbId);
  }

  private async removeChunks(
    { id, kbId }: Pick<Document, 'id' | 'kbId'>,
    version: FindOptionsWhere<Chunk>['version'],
    stopping: Stopping,
  ): Promise<void> {
    while (!stopping()) {
      const stale = await this.chunks.find({
        select: { number: true },
        where: { documentId: id, ...(version !== undefined && { version }) },
        take: CHUNK_BATCH,
      });
      if (stale.length === 0) return;
      const numbers = stale.map(({ number }) => number);
      await this.index.remove(kbId, numbers);
      await this.unitOfWork.run((manager) => manager.delete(Chunk, { number: In(numbers) }));
    }
  }
}
