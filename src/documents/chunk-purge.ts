import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { FindOptionsWhere, In, MoreThan, Repository, SelectQueryBuilder } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { BackgroundJob } from '../jobs/background-job.js';
import { KnowledgeBasePurge } from '../knowledge-bases/knowledge-base-purge.js';
import { SearchIndex } from '../search/search-index.js';
import { Chunk } from './chunk.entity.js';
import { DocumentTransitions } from './document-transitions.js';
import { Document } from './document.entity.js';

const DOCUMENT_BATCH = 100;
const CHUNK_BATCH = 200;
/** How soon what failed, or what another process left, is tried. */
const INTERVAL_MS = 60_000;
/** Documents in one look for superseded chunks, which is two steps in an index for each. */
const SWEEP_BATCH = 500;
const SWEEP_INTERVAL_MS = 60 * 60 * 1000;

/**
 * Removes chunks that are no longer findable, in batches in the background, from the index first.
 * What fails, or is left over by a stop, is taken up again.
 */
@Injectable()
export class ChunkPurge extends BackgroundJob {
  private sweptAt = -Infinity;

  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    @InjectRepository(Chunk) private readonly chunks: Repository<Chunk>,
    private readonly unitOfWork: UnitOfWork,
    private readonly transitions: DocumentTransitions,
    private readonly index: SearchIndex,
    knowledgeBases: KnowledgeBasePurge,
  ) {
    super(INTERVAL_MS);
    knowledgeBases.register((kbId, signal) => this.removeKnowledgeBase(kbId, signal));
  }

  protected override async run(): Promise<void> {
    await this.removeDeleted({}, this.signal);
    if (performance.now() - this.sweptAt < SWEEP_INTERVAL_MS) return;
    this.sweptAt = performance.now();
    await this.sweep();
  }

  /** Removes the chunks of documents that belong to none but their findable version. */
  async removeStale(documentIds: readonly string[]): Promise<void> {
    await this.removeChunks(
      () =>
        this.chunks
          .createQueryBuilder('chunk')
          .innerJoin('chunk.document', 'document')
          .where({ documentId: In(documentIds) })
          // The claim in progress is making its chunks, and so may later ones by now.
          .andWhere(
            `chunk.version <=
               CASE document.status WHEN 'processing' THEN document.claim - 1 ELSE document.claim END`,
          )
          .andWhere('(document.version IS NULL OR chunk.version <> document.version)'),
      this.signal,
    );
  }

  /** Removes what a stop or an error has left between the publishing of chunks and this. */
  private async sweep(): Promise<void> {
    for (let last = ''; !this.signal.aborted;) {
      const batch = await this.documents
        .createQueryBuilder('document')
        .select('document.id', 'id')
        .addSelect(
          `document.state = 'active' AND document.status IN ('ready', 'failed') AND (
             EXISTS (${chunksWhere('< COALESCE(document.version, 0)')})
             OR EXISTS (${chunksWhere('> COALESCE(document.version, 0)')}))`,
          'stale',
        )
        .where('document.id > :last', { last })
        .orderBy('document.id')
        .limit(SWEEP_BATCH)
        .getRawMany<{ id: string; stale: boolean | number }>();
      for (const { id, stale } of batch) {
        last = id;
        if (stale) await this.attempt(() => this.removeStale([id]));
      }
      if (batch.length < SWEEP_BATCH) return;
    }
  }

  /** @returns whether all went, or would have but for a stop */
  private async removeDeleted(
    where: FindOptionsWhere<Document>,
    signal: AbortSignal,
  ): Promise<boolean> {
    let complete = true;
    for (let last = ''; !signal.aborted;) {
      const batch = await this.documents.find({
        select: { id: true, kbId: true },
        where: { ...where, state: 'deactivated', id: MoreThan(last) },
        order: { id: 'ASC' },
        take: DOCUMENT_BATCH,
      });
      for (const document of batch) {
        last = document.id;
        complete = (await this.attempt(() => this.removeDocument(document, signal))) && complete;
      }
      if (batch.length < DOCUMENT_BATCH) break;
    }
    return complete;
  }

  /** One that cannot be removed now is tried again, and holds up no other. */
  private async attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.logger.error(error);
      return false;
    }
  }

  private async removeDocument(
    document: Pick<Document, 'id' | 'kbId'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { id: documentId } = document;
    await this.removeChunks(
      () => this.chunks.createQueryBuilder('chunk').where({ documentId }),
      signal,
    );
    if (signal.aborted) return;
    await this.unitOfWork.run((manager) =>
      manager.delete(Document, { id: document.id, state: 'deactivated' }),
    );
  }

  private async removeKnowledgeBase(kbId: string, signal: AbortSignal): Promise<void> {
    await this.unitOfWork.run((manager) => this.transitions.deleteWithKnowledgeBase(manager, kbId));
    const complete = await this.removeDeleted({ kbId }, signal);
    if (!complete) throw new Error('Some documents of a knowledge base could not be removed');
    if (!signal.aborted) await this.index.drop(kbId);
  }

  /** @param stale chunks of one knowledge base, asked for again until there are none */
  private async removeChunks(
    stale: () => SelectQueryBuilder<Chunk>,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      const chunks = await stale()
        .select(['chunk.number', 'chunk.kbId'])
        .limit(CHUNK_BATCH)
        .getMany();
      const [first] = chunks;
      if (!first) return;
      const numbers = chunks.map(({ number }) => number);
      await this.index.remove(first.kbId, numbers);
      await this.unitOfWork.run((manager) => manager.delete(Chunk, { number: In(numbers) }));
    }
  }
}

const chunksWhere = (version: string) =>
  `SELECT 1 FROM chunks WHERE chunks.document_id = document.id AND chunks.version ${version}`;
