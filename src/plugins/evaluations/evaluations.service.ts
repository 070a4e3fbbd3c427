import { Events, shownId } from '../../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { toComparableName } from '@latchkey/text/person-name';
import { distinctNames } from '../../knowledge-bases/access-rules/principals.js';
import { recordAskedAs } from '../../knowledge-bases/access-rules/asked-as.js';
import { hasRuledDocuments } from '../../knowledge-bases/access-rules/readable.js';
import {
  type DashboardUser,
  getPrincipals,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { lockName } from '../../platform/database/dialect.js';
import { insertRows } from '../../platform/database/insert-rows.js';
import { ExternalIds } from './external-ids.js';
import { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { newId } from '../../platform/http/type-id.js';
import { Idempotency, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Reads } from '../../platform/database/reads.js';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { type FairShare, FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { Problem } from '../../platform/problems/problem.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { requireNoLegalHold } from '../../knowledge-bases/settings/legal-hold.js';
import { pickAnswerSettings } from '../../knowledge-bases/settings/settings.js';
import { SettingsService } from '../../knowledge-bases/settings/settings.service.js';
import { CreateEvaluationDto } from './evaluation-requests.dto.js';
import { EvaluationDto, EvaluationSummaryDto } from './evaluation.dto.js';
import { EvaluationQuestion } from './evaluation-question.entity.js';
import { EvaluationQueue } from './evaluation-queue.js';
import { EvaluationRunner } from './evaluation-runner.js';
import { Evaluation } from './evaluation.entity.js';
import { toEvaluationDto, toSummaryDto } from './to-evaluation-dto.js';

const CHANGE = { role: 'member', lock: 'membership' } as const;
const CREATION = { role: 'member', lock: 'knowledge base' } as const;
/** Per knowledge base, because its evaluations share its turns. */
const MAX_UNFINISHED = 10;
/** Per user, over all knowledge bases that the user created. */
const MAX_UNFINISHED_OF_USER = 100;
const RETRY_AFTER_SECONDS = '60';

@Injectable()
@ResolvesResource({ resource: 'evaluation', prefix: 'eval' })
export class EvaluationsService implements ResourceResolver {
  constructor(
    @InjectRepository(Evaluation) private readonly evaluations: Repository<Evaluation>,
    @InjectRepository(EvaluationQuestion)
    private readonly questions: Repository<EvaluationQuestion>,
    private readonly reads: Reads,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly settings: SettingsService,
    private readonly fairShares: FairShareLookup,
    private readonly externalIds: ExternalIds,
    private readonly idempotency: Idempotency,
    private readonly jobs: Jobs,
    private readonly queue: EvaluationQueue,
    private readonly events: Events,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    return (await this.evaluations.findOneBy({ id }))?.kbId;
  }

  async create(
    user: DashboardUser,
    kbId: string,
    dto: CreateEvaluationDto,
    request?: IdempotentRequest,
  ): Promise<EvaluationDto> {
    const role = dto.principals ? 'owner' : CHANGE.role;
    await this.knowledgeBases.require(user, kbId, role);
    await this.requireExternalIds(kbId, dto);
    const settings = await this.settings.loadWith(kbId, dto.settings);
    const fairShare = await this.fairShares.findFairShare(kbId);
    const { answer } = await this.knowledgeBases.change(
      user,
      kbId,
      { ...CREATION, role },
      (manager) =>
        // A repeated request reads the stored questions and does not insert them again.
        this.idempotency.once(manager, user.id, request, async () => {
          await this.requireRoom(manager, fairShare);
          const id = newId('eval');
          await manager.insert(Evaluation, {
            id,
            kbId,
            name: dto.name ?? null,
            status: 'pending',
            settings: pickAnswerSettings(settings),
            principals: distinctNames(dto.principals ?? getPrincipals(user)),
            questionCount: dto.questions.length,
            doneCount: 0,
            createdBy: shownId(user),
            createdAt: new Date(),
          });
          await this.queue.add(manager, id);
          await insertQuestions(manager, id, dto);
          await recordAskedAs(this.events, manager, user, kbId, dto.principals);
          return { id };
        }),
    );
    this.jobs.start(EvaluationRunner);
    return this.get(user, answer.id);
  }

  async list(
    user: DashboardUser,
    kbId: string,
    query: PageQueryDto,
  ): Promise<Page<EvaluationSummaryDto>> {
    const own = await this.visible(user, kbId);
    return this.reads.latest((manager) => {
      const evaluations = manager.createQueryBuilder(Evaluation, 'evaluation').where({ kbId });
      if (own !== undefined) evaluations.andWhere('LOWER(evaluation.createdBy) = :own', { own });
      return paginate(evaluations, query, toSummaryDto);
    });
  }

  async get(user: DashboardUser, id: string): Promise<EvaluationDto> {
    await this.findVisible(user, id);
    // The evaluation is read before its questions, so that a complete one has all results.
    const evaluation = await this.find(id);
    const questions = await this.questions.find({
      where: { evaluationId: id },
      order: { position: 'ASC' },
    });
    // The evaluation was deleted in between.
    if (questions.length < evaluation.questionCount) throw new Problem('not_found');
    return toEvaluationDto(evaluation, questions);
  }

  async delete(user: DashboardUser, id: string): Promise<void> {
    const { kbId } = await this.findVisible(user, id);
    await this.knowledgeBases.change(user, kbId, CREATION, async (manager) => {
      await requireNoLegalHold(manager, kbId);
      await this.queue.remove(manager, 'id', id);
      const { affected } = await manager.delete(Evaluation, { id });
      if (affected !== 1) throw new Problem('not_found');
    });
  }

  /**
   * Metrics reveal document content. If access rules restrict any document, only the user who created the
   * evaluation sees it, and owners, who may ask as anybody.
   *
   * @returns the user who must have created it; undefined for any member
   * @throws Problem `not_found` unless the user is a member
   */
  private async visible(user: DashboardUser, kbId: string): Promise<string | undefined> {
    const role = await this.knowledgeBases.requireMember(user, kbId);
    const isOpen = role === 'owner' || !(await hasRuledDocuments(this.evaluations.manager, kbId));
    return isOpen ? undefined : user.id;
  }

  private async findVisible(user: DashboardUser, id: string): Promise<Evaluation> {
    const evaluation = await this.find(id);
    const own = await this.visible(user, evaluation.kbId);
    const isOthers = own !== undefined && own !== toComparableName(evaluation.createdBy);
    if (isOthers) throw new Problem('not_found');
    return evaluation;
  }

  private async find(id: string): Promise<Evaluation> {
    const evaluation = await this.evaluations.findOneBy({ id });
    if (!evaluation) throw new Problem('not_found');
    return evaluation;
  }

  /** @throws Problem `validation_failed` that names each id without a document */
  private async requireExternalIds(
    kbId: string,
    { questions }: CreateEvaluationDto,
  ): Promise<void> {
    const named = questions.flatMap(({ external_ids }) => external_ids ?? []);
    const existing = await this.externalIds.findExisting(kbId, named);
    const errors = questions.flatMap(({ external_ids }, question) =>
      (external_ids ?? []).flatMap((id, index) => {
        const field = `questions.${question}.external_ids.${index}`;
        return existing.has(id) ? [] : [{ field, message: `${field} names no document` }];
      }),
    );
    if (errors.length > 0) throw new Problem('validation_failed', { errors });
  }

  /** @throws Problem `knowledge_base_busy` */
  private async requireRoom(manager: EntityManager, fairShare: FairShare): Promise<void> {
    if ((await this.queue.count(manager, fairShare)) >= MAX_UNFINISHED) {
      throw busy(`The knowledge base already has ${MAX_UNFINISHED} unfinished evaluations.`);
    }
    const { userId } = fairShare;
    // Without the lock, parallel requests for several knowledge bases could exceed the limit together.
    await lockName(manager, `evaluations of ${userId}`);
    if ((await this.queue.count(manager, { userId })) < MAX_UNFINISHED_OF_USER) return;
    throw busy(
      `The knowledge bases of the user who created this one have ${MAX_UNFINISHED_OF_USER} unfinished ` +
        'evaluations.',
    );
  }
}

const busy = (detail: string) =>
  new Problem('knowledge_base_busy', { detail, headers: { 'retry-after': RETRY_AFTER_SECONDS } });

const insertQuestions = (
  manager: EntityManager,
  evaluationId: string,
  { questions }: CreateEvaluationDto,
): Promise<unknown> =>
  insertRows(
    manager,
    EvaluationQuestion,
    questions.map((asked, position) => ({
      evaluationId,
      position,
      question: asked.question,
      history: asked.history ?? [],
      externalIds: asked.external_ids ?? [],
      answerContains: (asked.answer_contains ?? []) as string[],
      answerContainsAll: asked.answer_contains_all ?? [],
      answerable: asked.answerable ?? true,
      rank: null,
      ndcg: null,
      answered: null,
      isRight: null,
      latencyMs: null,
    })),
  );
