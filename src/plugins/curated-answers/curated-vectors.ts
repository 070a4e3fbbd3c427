import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, MoreThan, Repository } from 'typeorm';
import { EMBEDDINGS, type Embeddings } from '../../documents/search/embeddings.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { CuratedAnswer } from './curated-answer.entity.js';

const INTERVAL_MS = 15_000;
/** The pause after a failure. The endpoint may reject a text, and charge for it. */
const RETRY_MS = 10 * 60_000;
/**
 * The number of answers whose vectors are stored at once. Each time, every process reads the answers of the
 * knowledge base again.
 */
const BATCH = 100;

/**
 * Computes the vectors of the questions of curated answers: after they are written, and at an interval, to
 * retry failures and after a change of the model. Until then they are found by their words.
 */
@Injectable()
export class CuratedVectors {
  /** Versions of answers that failed since `failedAt`. */
  private readonly failed = new Set<string>();
  private failedAt = 0;

  constructor(
    @InjectRepository(CuratedAnswer) private readonly answers: Repository<CuratedAnswer>,
    @Inject(EMBEDDINGS) private readonly embeddings: Embeddings | null,
    private readonly fairShares: FairShareLookup,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Job({ every: INTERVAL_MS, singleton: 'curated-answers' })
  async embedMissing({ signal, mayContinue }: JobRound): Promise<void> {
    if (Date.now() - this.failedAt > RETRY_MS) this.failed.clear();
    let some = await this.findMissing('');
    while (some.length > 0) {
      for (const [kbId, answers] of Map.groupBy(some, (answer) => answer.kbId)) {
        if (!(await mayContinue())) return;
        await this.embed(kbId, answers, signal);
      }
      some = await this.findMissing(some.at(-1)?.id ?? '');
    }
  }

  /** Finds the next answers without vectors of the current model. */
  private async findMissing(after: string): Promise<CuratedAnswer[]> {
    const model = this.embeddings?.model;
    if (model === undefined) return [];
    const id = MoreThan(after);
    return this.answers.find({
      where: [
        { id, model: IsNull() },
        { id, model: LessThan(model) },
        { id, model: MoreThan(model) },
      ],
      order: { id: 'ASC' },
      take: BATCH,
    });
  }

  private async embed(
    kbId: string,
    answers: readonly CuratedAnswer[],
    signal: AbortSignal,
  ): Promise<void> {
    const { embeddings } = this;
    const model = embeddings?.model;
    if (model === undefined) return;
    const fairShare = await this.fairShares.findFairShare(kbId);
    const made: Pick<CuratedAnswer, 'id' | 'updatedAt' | 'vectors'>[] = [];
    for (const answer of answers) {
      const { id, updatedAt, questions } = answer;
      if (this.failed.has(toVersionKey(answer))) continue;
      const vectors: Float32Array[] = [];
      for (const question of questions) {
        if (signal.aborted) return;
        const vector = await embeddings?.embedQuestion(question, fairShare);
        if (vector) vectors.push(vector);
      }
      if (vectors.length === questions.length) {
        made.push({ id, updatedAt, vectors: Buffer.concat(vectors.map(toBytes)) });
      } else {
        if (this.failed.size === 0) this.failedAt = Date.now();
        this.failed.add(toVersionKey(answer));
      }
    }
    if (made.length === 0) return;
    await this.unitOfWork.run(async (manager) => {
      for (const { id, updatedAt, vectors } of made) {
        await manager.update(CuratedAnswer, { id, updatedAt }, { model, vectors });
      }
      await manager.increment(KnowledgeBase, { id: kbId }, 'curatedVersion', 1);
    });
  }
}

const toVersionKey = ({ id, updatedAt }: CuratedAnswer): string => `${id} ${updatedAt.getTime()}`;

const toBytes = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
