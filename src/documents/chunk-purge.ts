import {
  BeforeApplicationShutdown,
  Injectable,
  Logger,
  OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { KnowledgeBasePurge } from '../knowledge-bases/knowledge-base-purge.js';
import { SearchIndex } from '../search/search-index.js';
import { Chunk } from './chunk.entity.js';
import { Document } from './document.entity.js';

const BATCH = 200;

/**
 * Removes chunks that are no longer findable, in batches in the background, from the index first.
 * What a stop leaves over is taken up at the next start.
 */
@Injectable()
export class ChunkPurge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ChunkPurge.name);
  private running: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    @InjectRepository(Chunk) private readonly chunks: Repository<Chunk>,
    private readonly unitOfWork: UnitOfWork,
    private readonly index: SearchIndex,
    knowledgeBases: KnowledgeBasePurge,
  ) {
    knowledgeBases.register((kbId) => this.removeKnowledgeBase(kbId));
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  /** Removes deleted documents. */
  start(): void {
    this.running = this.running
      .then(() => this.removeDeleted())
      .catch((error: unknown) => {
        this.logger.error(error);
      });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  /** Removes the chunks of a document that belong to none but its findable version. */
  async removeStale(documentId: string): Promise<void> {
    const document = await this.documents.findOneBy({ id: documentId });
    if (!document) return;
    const { version, claim, status } = document;
    // A claim in progress is making its chunks: they are not stale.
    const kept = [version, status === 'processing' ? claim : null].filter((v) => v !== null);
    await this.removeChunks(document, kept);
  }

  private async removeDeleted(): Promise<void> {
    for (const document of await this.documents.findBy({ state: 'deactivated' })) {
      await this.removeChunks(document, []);
      if (this.stopping) return;
      await this.unitOfWork.run((manager) => manager.delete(Document, { id: document.id }));
    }
  }

  private async removeKnowledgeBase(kbId: string): Promise<void> {
    await this.unitOfWork.run((manager) =>
      manager.update(Document, { kbId }, { state: 'deactivated' }),
    );
    await this.removeDeleted();
    if (!this.stopping) await this.index.drop(kbId);
  }

  private async removeChunks({ id, kbId }: Document, keptVersions: number[]): Promise<void> {
    while (!this.stopping) {
      const stale = await this.chunks.find({
        select: { number: true },
        where: { documentId: id, version: Not(In(keptVersions)) },
        take: BATCH,
      });
      if (stale.length === 0) return;
      const numbers = stale.map(({ number }) => number);
      await this.index.remove(kbId, numbers);
      await this.unitOfWork.run((manager) => manager.delete(Chunk, { number: In(numbers) }));
    }
  }
}
