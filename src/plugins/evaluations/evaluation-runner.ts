import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { toPrincipals } from '../../knowledge-bases/access-rules/principals.js';
import { classifyFailure } from '../../platform/database/database-error.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Lease } from '../../knowledge-bases/job-queue.js';
import { Job } from '../../platform/jobs/job.js';
import { WorkerUnavailableError } from '../../platform/jobs/worker-errors.js';
import { toSettings } from '../../knowledge-bases/settings/settings.js';
import { Problem } from '../../platform/problems/problem.js';
import { EvaluationQuestion } from './evaluation-question.entity.js';
import { EvaluationQueue } from './evaluation-queue.js';
import { Evaluation } from './evaluation.entity.js';
import { computeScores } from './figures.js';
import { QuestionEvaluator } from './question-evaluator.js';

/** How often a process looks for unfinished evaluations, such as those of a process that died. */
const INTERVAL_MS = 10_000;
/** How long the questions of one knowledge base are asked before the next one has its turn. */
const TURN_MS = 1000;
const BATCH = 50;
/** Evaluations that one process runs at once, at most one per user. */
const CONCURRENCY = 2;
const MODEL_ATTEMPTS = 3;
const RETRY_PAUSE_MS = 1000;

type EvaluationLease = Lease<Evaluation>;

/**
 * Asks the questions of evaluations, one at a time per evaluation. Each result is stored immediately, so
 * that after a crash another process continues with the next question.
 */
@Injectable()
export class EvaluationRunner {
  private readonly logger = new Logger(EvaluationRunner.name);

  constructor(
    private readonly queue: EvaluationQueue,
    @InjectRepository(EvaluationQuestion)
    private readonly questions: Repository<EvaluationQuestion>,
    private readonly unitOfWork: UnitOfWork,
    private readonly evaluator: QuestionEvaluator,
  ) {}

  @Job({ every: INTERVAL_MS, queue: EvaluationQueue, concurrency: CONCURRENCY })
  async takeTurn([lease]: readonly [EvaluationLease], signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const endsAt = startedAt + TURN_MS;
    const askedAny = await this.askUntil(endsAt, lease, signal).catch((error: unknown) => {
      if (!signal.aborted) this.logger.error(error);
      return false;
    });
    const spentMs = performance.now() - startedAt;
    await this.queue.endTurn(lease, spentMs, askedAny || signal.aborted);
  }

  /** @returns whether it asked any question */
  private async askUntil(
    endsAt: number,
    lease: EvaluationLease,
    signal: AbortSignal,
  ): Promise<boolean> {
    let askedAny = false;
    for (let isLast = false; !isLast;) {
      const unasked = await this.questions.find({
        where: { evaluationId: lease.row.id, answered: IsNull() },
        order: { position: 'ASC' },
        take: BATCH,
      });
      for (const question of unasked) {
        if (signal.aborted || performance.now() > endsAt) return askedAny;
        if (!(await this.ask(lease, question, signal))) return askedAny;
        askedAny = true;
      }
      isLast = unasked.length < BATCH;
    }
    const figures = computeScores(await this.questions.findBy({ evaluationId: lease.row.id }));
    await this.queue.finish(lease, { status: 'complete', figures });
    return askedAny;
  }

  /** @returns whether the evaluation continues */
  private async ask(
    lease: EvaluationLease,
    question: EvaluationQuestion,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { kbId, principals } = lease.row;
    const settings = toSettings(lease.row.settings);
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.evaluator.evaluate(
          kbId,
          settings,
          { principals: toPrincipals(principals) },
          question,
          signal,
        );
        return await this.store(question, result);
      } catch (error) {
        signal.throwIfAborted();
        if (classifyFailure(error) !== undefined || error instanceof WorkerUnavailableError)
          throw error;
        if (error instanceof Problem && error.code === 'knowledge_base_busy') return false;
        if (!(error instanceof Problem)) this.logger.error(error);
        const errorCode = error instanceof Problem ? error.code : 'internal_error';
        if (attempt === MODEL_ATTEMPTS) {
          await this.queue.finish(lease, { status: 'failed', errorCode });
          return false;
        }
        await pause(RETRY_PAUSE_MS * attempt, undefined, { signal });
      }
    }
  }

  /** @returns false when the evaluation was deleted meanwhile */
  private store(
    { evaluationId, position }: EvaluationQuestion,
    result: Partial<EvaluationQuestion>,
  ): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const where = { evaluationId, position, answered: IsNull() };
      const { affected } = await manager.update(EvaluationQuestion, where, result);
      if (affected === 1) {
        await manager.increment(Evaluation, { id: evaluationId }, 'doneCount', 1);
      }
      return manager.existsBy(Evaluation, { id: evaluationId });
    });
  }
}
