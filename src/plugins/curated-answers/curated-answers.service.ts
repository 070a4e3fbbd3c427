import { Events, shownId } from '../../knowledge-bases/events/events.js';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository, type SelectQueryBuilder } from 'typeorm';
import { whereCuratedReadable } from './curated-readable.js';
import { DocumentPassages } from './document-passages.js';
import { accessSetFor, noteChange } from '../../knowledge-bases/access-rules/access-rules.js';
import { AccessSet } from '../../knowledge-bases/access-rules/access-set.entity.js';
import { type ResourceResolver, ResolvesResource } from '../../knowledge-bases/access.js';
import type { Change } from '../../knowledge-bases/events/event.js';
import { changedFields } from '../../knowledge-bases/audit/changed-fields.js';
import {
  type DashboardUser,
  type GrantedAccess,
  getPrincipals,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import type { MemberRole } from '../../knowledge-bases/knowledge-base-member.entity.js';
import { requireNoLegalHold } from '../../knowledge-bases/settings/legal-hold.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { Config } from '../../platform/config/config.js';
import { Reads } from '../../platform/database/reads.js';
import type { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { newId } from '../../platform/http/type-id.js';
import { Idempotency, type IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Problem, quotaReached } from '../../platform/problems/problem.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import {
  type CreateCuratedAnswerDto,
  type CuratedAnswerDto,
  toCuratedAnswerDto,
  type UpdateCuratedAnswerDto,
} from './curated-answer.dto.js';
import { CuratedAnswer } from './curated-answer.entity.js';
import { CuratedVectors } from './curated-vectors.js';

const CHANGE = { role: 'member', lock: 'knowledge base' } as const;

/** Creates, changes and lists curated answers. CuratedAnswering gives them to askers. */
@Injectable()
@ResolvesResource({ resource: 'curated_answer', prefix: 'cur' })
export class CuratedAnswersService implements ResourceResolver {
  constructor(
    @InjectRepository(CuratedAnswer) private readonly answers: Repository<CuratedAnswer>,
    private readonly reads: Reads,
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly documents: DocumentPassages,
    private readonly events: Events,
    private readonly idempotency: Idempotency,
    private readonly jobs: Jobs,
    private readonly config: Config,
  ) {}

  async findKbId(id: string): Promise<string | undefined> {
    return (await this.answers.findOneBy({ id }))?.kbId;
  }

  isVisible(user: DashboardUser & { readonly access: GrantedAccess }, kbId = ''): Promise<boolean> {
    const rows = this.answers.createQueryBuilder('curated').where({ id: user.access.resourceId });
    return whereCuratedReadable(rows, 'curated', kbId, getPrincipals(user)).getExists();
  }

  async create(
    user: DashboardUser,
    kbId: string,
    dto: CreateCuratedAnswerDto,
    request?: IdempotentRequest,
  ): Promise<CuratedAnswerDto> {
    await this.knowledgeBases.require(user, kbId, CHANGE.role);
    await this.documents.requireVisible(user, kbId, dto.sources ?? []);
    const { answer } = await this.knowledgeBases.change(user, kbId, CHANGE, (manager) =>
      this.idempotency.once(manager, user.id, request, async () => {
        await this.requireRoom(manager, kbId);
        const id = newId('cur');
        const at = new Date();
        await manager.insert(CuratedAnswer, {
          id,
          kbId,
          questions: dto.questions,
          answer: dto.answer,
          sourceIds: dto.sources ?? [],
          accessSetId: (await accessSetFor(manager, kbId, { access: dto.access })) ?? null,
          reviewAt: parseInstant(dto.review_at) ?? null,
          owner: shownId(user),
          createdAt: at,
          updatedAt: at,
          writtenAt: at,
        });
        await this.noteCurated(manager, user, kbId, id, { action: 'curated_answer.created' });
        return this.toDto(manager, user, id);
      }),
    );
    this.jobs.start(CuratedVectors);
    return answer;
  }

  /** Lists curated answers. Viewers see only those that they may read. */
  async list(
    user: DashboardUser,
    kbId: string,
    query: PageQueryDto,
  ): Promise<Page<CuratedAnswerDto>> {
    const role = await this.knowledgeBases.requireMember(user, kbId);
    const { data, ...page } = await this.reads.latest((manager) => {
      const rows = manager.createQueryBuilder(CuratedAnswer, 'curated').where({ kbId });
      return paginate(forRole(rows, kbId, role, user), query, (row) => row);
    });
    const named = data.flatMap(({ sourceIds }) => sourceIds);
    const shown = await this.documents.findVisible(user, kbId, role, named);
    return { data: data.map((row) => toCuratedAnswerDto(row, shown)), ...page };
  }

  async get(user: DashboardUser, id: string): Promise<CuratedAnswerDto> {
    const { kbId } = await this.find(id);
    const role = await this.knowledgeBases.requireMember(user, kbId);
    const rows = this.answers.createQueryBuilder('curated').where({ id });
    const row = await forRole(rows, kbId, role, user).getOne();
    if (!row) throw new Problem('not_found');
    return toCuratedAnswerDto(
      row,
      await this.documents.findVisible(user, kbId, role, row.sourceIds),
    );
  }

  async update(
    user: DashboardUser,
    id: string,
    dto: UpdateCuratedAnswerDto,
  ): Promise<CuratedAnswerDto> {
    const { kbId } = await this.find(id);
    const fields = changedFields(dto);
    if (fields.length === 0) return this.get(user, id);
    await this.documents.requireVisible(user, kbId, dto.sources ?? []);
    const changed = await this.knowledgeBases.change(user, kbId, CHANGE, async (manager) => {
      const before = await manager.findOneBy(CuratedAnswer, { id });
      if (!before) throw new Problem('not_found');
      const overwrites = overwritesText(before, dto);
      if (overwrites) await requireNoLegalHold(manager, kbId);
      const accessSetId = await accessSetFor(manager, kbId, { access: dto.access });
      if (accessSetId !== undefined && accessSetId !== before.accessSetId) {
        await noteChange(manager, kbId);
      }
      const at = new Date();
      const columns = {
        ...(dto.questions && { questions: dto.questions, model: null, vectors: null }),
        answer: dto.answer,
        ...(dto.sources !== undefined && { sourceIds: dto.sources ?? [] }),
        accessSetId,
        reviewAt: parseInstant(dto.review_at),
        updatedAt: at,
        ...(overwrites && { writtenAt: at }),
      };
      await manager.update(CuratedAnswer, { id }, columns);
      const details = { fields };
      await this.noteCurated(manager, user, kbId, id, {
        action: 'curated_answer.updated',
        details,
      });
      return this.toDto(manager, user, id);
    });
    this.jobs.start(CuratedVectors);
    return changed;
  }

  async delete(user: DashboardUser, id: string): Promise<void> {
    const { kbId } = await this.find(id);
    await this.knowledgeBases.change(user, kbId, CHANGE, async (manager) => {
      await requireNoLegalHold(manager, kbId);
      const { affected } = await manager.delete(CuratedAnswer, { id });
      if (affected !== 1) throw new Problem('not_found');
      await this.noteCurated(manager, user, kbId, id, { action: 'curated_answer.deleted' });
    });
  }

  private async find(id: string): Promise<CuratedAnswer> {
    const found = await this.answers.findOneBy({ id });
    if (!found) throw new Problem('not_found');
    return found;
  }

  /** @throws Problem `quota_reached`, which rolls the unit of work back */
  private async requireRoom(manager: EntityManager, kbId: string): Promise<void> {
    const { MAX_CURATED_ANSWERS_PER_KNOWLEDGE_BASE: limit } = this.config;
    if ((await manager.countBy(CuratedAnswer, { kbId })) < limit) return;
    throw quotaReached('MAX_CURATED_ANSWERS_PER_KNOWLEDGE_BASE', limit);
  }

  /** Records a change. By the new version, every process notices that it must read the answers again. */
  private async noteCurated(
    manager: EntityManager,
    user: DashboardUser,
    kbId: string,
    targetId: string,
    change: { readonly action: Change; readonly details?: object },
  ): Promise<void> {
    await manager.increment(KnowledgeBase, { id: kbId }, 'curatedVersion', 1);
    await this.events.recordChange(manager, user, { kbId, targetId, ...change });
  }

  private async toDto(
    manager: EntityManager,
    user: DashboardUser,
    id: string,
  ): Promise<CuratedAnswerDto> {
    const row = await withRule(
      manager.createQueryBuilder(CuratedAnswer, 'curated').where({ id }),
    ).getOneOrFail();
    const { kbId, sourceIds } = row;
    return toCuratedAnswerDto(
      row,
      await this.documents.findVisible(user, kbId, CHANGE.role, sourceIds, manager),
    );
  }
}

const overwritesText = (
  before: CuratedAnswer,
  { questions = before.questions, answer = before.answer }: UpdateCuratedAnswerDto,
): boolean => answer !== before.answer || !isDeepStrictEqual(questions, before.questions);

const parseInstant = (text: string | null | undefined): Date | null | undefined =>
  typeof text === 'string' ? new Date(text) : text;

const withRule = (answers: SelectQueryBuilder<CuratedAnswer>): SelectQueryBuilder<CuratedAnswer> =>
  answers.leftJoinAndMapOne(
    'curated.accessSet',
    AccessSet,
    'access_set',
    'access_set.id = curated.accessSetId',
  );

const forRole = (
  answers: SelectQueryBuilder<CuratedAnswer>,
  kbId: string,
  role: MemberRole,
  user: DashboardUser,
): SelectQueryBuilder<CuratedAnswer> =>
  role === 'viewer'
    ? whereCuratedReadable(answers, 'curated', kbId, getPrincipals(user))
    : withRule(answers);
