import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { isDatabaseUnavailable } from '../database/database-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { BackgroundJob } from '../jobs/background-job.js';
import { JobLock } from '../jobs/job-lock.js';
import { WorkerUnavailableError } from '../jobs/worker-errors.js';
import { Problem, type ProblemCode } from '../problems/problem.js';
import { SETTINGS_DEFAULTS } from '../settings/settings.service.js';
import { EvaluationQuestion } from './evaluation-question.entity.js';
import { Evaluation, UNFINISHED } from './evaluation.entity.js';
import { figuresOf } from './figures.js';
import { QuestionEvaluator } from './question-evaluator.js';

/** How often a process looks for unfinished evaluations, such as those of a process that died. */
const INTERVAL_MS = 10_000;
/** How long the questions of one knowledge base are asked until the turn of the next one. */
const TURN_MS = 5000;
const BATCH = 50;
/** Knowledge bases of one process whose questions are asked at once. */
const CONCURRENCY = 2;
const MODEL_ATTEMPTS = 3;
const RETRY_PAUSE_MS = 1000;

/**
 * Asks the questions of evaluations. Knowledge bases take turns, however many evaluations each has.
 * The evaluations of one knowledge base run one after the other, and ask one question at a time.
 * Each result is stored at once, so that after a crash another process continues with the next
 * question.
 */
@Injectable()
export class EvaluationRunner extends BackgroundJob {
  constructor(
    @InjectRepository(Evaluation) private readonly evaluations: Repository<Evaluation>,
    @InjectRepository(EvaluationQuestion)
    private readonly questions: Repository<EvaluationQuestion>,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobLock,
    private readonly evaluator: QuestionEvaluator,
  ) {
    super(INTERVAL_MS);
  }

  protected override async run(): Promise<void> {
    const unfinished = await this.evaluations.find({
      select: { id: true, kbId: true },
      where: { status: UNFINISHED, knowledgeBase: { state: 'active' } },
      order: { id: 'ASC' },
    });
    const turns = Map.groupBy(unfinished, ({ kbId }) => kbId).entries();
    const takeTurns = async () => {
      let askedAny = false;
      for (const [kbId, evaluations] of turns) {
        if (await this.takeTurn(kbId, evaluations)) askedAny = true;
      }
      return askedAny;
    };
    const results = await Promise.all(Array.from({ length: CONCURRENCY }, takeTurns));
    if (results.includes(true) && !this.signal.aborted) this.start();
  }

  /**
   * The turn of one knowledge base, unless another process has it.
   *
   * @param evaluations the oldest first
   * @returns whether any asked questions
   */
  private async takeTurn(
    kbId: string,
    evaluations: readonly Pick<Evaluation, 'id'>[],
  ): Promise<boolean> {
    const endsAt = performance.now() + TURN_MS;
    let askedAny = false;
    await this.jobs.run(`evaluations ${kbId}`, this.signal, async () => {
      for (const { id } of evaluations) {
        if (this.signal.aborted || performance.now() > endsAt) break;
        // A failure of one evaluation must not stop the others.
        const askedSome = await this.continue(id, endsAt).catch((error: unknown) => {
          if (!this.signal.aborted) this.logger.error(error);
          return false;
        });
        if (askedSome) askedAny = true;
      }
    });
    return askedAny;
  }

  /**
   * Asks the questions of one evaluation until the end of the turn.
   *
   * @returns whether it asked any
   */
  private async continue(id: string, endsAt: number): Promise<boolean> {
    let askedSome = false;
    const evaluation = await this.evaluations.findOneBy({ id, status: UNFINISHED });
    if (!evaluation) return false;
    await this.unitOfWork.run((manager) =>
      manager.update(Evaluation, { id, status: 'pending' }, { status: 'running' }),
    );
    for (let isLast = false; !isLast;) {
      const unasked = await this.questions.find({
        where: { evaluationId: id, answered: IsNull() },
        order: { position: 'ASC' },
        take: BATCH,
      });
      for (const question of unasked) {
        if (this.signal.aborted || performance.now() > endsAt) return askedSome;
        if (!(await this.ask(evaluation, question))) return askedSome;
        askedSome = true;
      }
      isLast = unasked.length < BATCH;
    }
    await this.complete(evaluation);
    return askedSome;
  }

  /** @returns whether the evaluation continues */
  private async ask(evaluation: Evaluation, question: EvaluationQuestion): Promise<boolean> {
    const { id, kbId } = evaluation;
    const settings = { ...SETTINGS_DEFAULTS, ...evaluation.settings };
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.evaluator.evaluate(kbId, settings, question, this.signal);
        return await this.store(question, result);
      } catch (error) {
        this.signal.throwIfAborted();
        if (isDatabaseUnavailable(error) || error instanceof WorkerUnavailableError) throw error;
        if (error instanceof Problem && error.code === 'knowledge_base_busy') return false;
        if (!(error instanceof Problem)) this.logger.error(error);
        const code = error instanceof Problem ? error.code : 'internal_error';
        if (attempt === MODEL_ATTEMPTS) return this.fail(id, code);
        await pause(RETRY_PAUSE_MS * attempt, undefined, { signal: this.signal });
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

  private async fail(id: string, errorCode: ProblemCode): Promise<false> {
    const change = { status: 'failed', errorCode, finishedAt: new Date() } as const;
    await this.unitOfWork.run((manager) =>
      manager.update(Evaluation, { id, status: 'running' }, change),
    );
    return false;
  }

  private async complete({ id }: Evaluation): Promise<void> {
    const figures = figuresOf(await this.questions.findBy({ evaluationId: id }));
    const change = { status: 'complete', figures, finishedAt: new Date() } as const;
    await this.unitOfWork.run((manager) =>
      manager.update(Evaluation, { id, status: 'running' }, change),
    );
  }
}
