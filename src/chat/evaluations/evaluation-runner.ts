import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { failureOf } from '../../platform/database/database-error.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { JobLock } from '../../platform/jobs/job-lock.js';
import { WorkerUnavailableError } from '../../platform/jobs/worker-errors.js';
import { FairQueue } from '../../knowledge-bases/fair-queue.js';
import { type Tenant, toTenant } from '../../knowledge-bases/tenant-lookup.js';
import { Problem, type ProblemCode } from '../../platform/problems/problem.js';
import { toSettings } from '../../knowledge-bases/settings/settings.js';
import { EvaluationQuestion } from './evaluation-question.entity.js';
import { Evaluation, UNFINISHED } from './evaluation.entity.js';
import { figuresOf } from './figures.js';
import { QuestionEvaluator } from './question-evaluator.js';

/** How often a process looks for unfinished evaluations, such as those of a process that died. */
const INTERVAL_MS = 10_000;
/** How long the questions of one knowledge base are asked until the turn of the next one. */
const TURN_MS = 1000;
const BATCH = 50;
/** Knowledge bases of one process whose questions are asked at once, at most one of a user's. */
const CONCURRENCY = 2;
const MODEL_ATTEMPTS = 3;
const RETRY_PAUSE_MS = 1000;

/**
 * Asks the questions of evaluations. Users take turns, and the knowledge bases of each, however many
 * evaluations there are. The evaluations of one knowledge base run one after the other, and ask one
 * question at a time. Each result is stored at once, so that after a crash another process continues
 * with the next question.
 */
@Injectable()
export class EvaluationRunner extends BackgroundJob {
  private readonly queue = new FairQueue(CONCURRENCY);
  /** Turns that wait or run, by knowledge base. */
  private readonly turns = new Map<string, Promise<void>>();

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

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await Promise.all(this.turns.values());
  }

  /** Queues a turn for each knowledge base that has unfinished evaluations and no turn yet. */
  protected override async run(): Promise<void> {
    for (const tenant of await this.findWaiting()) {
      if (this.turns.has(tenant.kbId) || this.signal.aborted) continue;
      const turn = this.queue
        .run(tenant, this.signal, () => this.takeTurn(tenant.kbId))
        .catch((error: unknown) => {
          if (!this.signal.aborted) this.logger.error(error);
          return false;
        })
        .then((askedAny) => {
          this.turns.delete(tenant.kbId);
          if (askedAny) this.start();
        });
      this.turns.set(tenant.kbId, turn);
    }
  }

  /** The knowledge bases that have unfinished evaluations; the one that has waited longest is first. */
  private async findWaiting(): Promise<Tenant[]> {
    const rows = await this.evaluations
      .createQueryBuilder('evaluation')
      .innerJoin('evaluation.knowledgeBase', 'kb', `kb.state = 'active'`)
      .select('kb.id', 'kbId')
      .addSelect('kb.createdBy', 'createdBy')
      .where({ status: UNFINISHED })
      .groupBy('kb.id')
      .addGroupBy('kb.createdBy')
      .orderBy('MIN(evaluation.id)')
      .getRawMany<{ kbId: string; createdBy: string | null }>();
    return rows.map(({ kbId, createdBy }) => toTenant(kbId, createdBy));
  }

  /**
   * The turn of one knowledge base, unless another process has it.
   *
   * @returns whether any questions were asked
   */
  private async takeTurn(kbId: string): Promise<boolean> {
    const endsAt = performance.now() + TURN_MS;
    let askedAny = false;
    await this.jobs.run(`evaluations ${kbId}`, this.signal, async () => {
      const evaluations = await this.evaluations.find({
        select: { id: true },
        where: { kbId, status: UNFINISHED },
        order: { id: 'ASC' },
      });
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
    const settings = toSettings(evaluation.settings);
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.evaluator.evaluate(kbId, settings, question, this.signal);
        return await this.store(question, result);
      } catch (error) {
        this.signal.throwIfAborted();
        if (failureOf(error) !== undefined || error instanceof WorkerUnavailableError) throw error;
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
