import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Idempotency, IdempotentRequest } from '../http/idempotency.js';
import { Page, PageQueryDto } from '../http/page.dto.js';
import { paginate } from '../http/paginate.js';
import { Problem } from '../http/problem.js';
import { newId } from '../http/type-id.js';
import { KnowledgeBaseMember, MemberRole } from './knowledge-base-member.entity.js';
import { KnowledgeBasePurge } from './knowledge-base-purge.js';
import {
  CreateKnowledgeBaseDto,
  KnowledgeBaseDto,
  toKnowledgeBaseDto,
  UpdateKnowledgeBaseDto,
} from './knowledge-base.dto.js';
import { KnowledgeBase } from './knowledge-base.entity.js';

@Injectable()
export class KnowledgeBasesService {
  constructor(
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
    @InjectRepository(KnowledgeBaseMember)
    private readonly members: Repository<KnowledgeBaseMember>,
    private readonly unitOfWork: UnitOfWork,
    private readonly purge: KnowledgeBasePurge,
    private readonly idempotency: Idempotency,
    private readonly auditLog: AuditLog,
  ) {}

  async create(
    user: DashboardUser,
    dto: CreateKnowledgeBaseDto,
    request?: IdempotentRequest,
  ): Promise<KnowledgeBaseDto> {
    const { answer } = await this.unitOfWork.run((manager) =>
      this.idempotency.once(manager, user.id, request, () => this.insert(manager, user, dto)),
    );
    return answer;
  }

  async list(user: DashboardUser, query: PageQueryDto): Promise<Page<KnowledgeBaseDto>> {
    const roles = await this.members.findBy({ userId: user.id });
    const roleOf = new Map(roles.map(({ kbId, role }) => [kbId, role]));
    return paginate(
      this.knowledgeBases
        .createQueryBuilder('kb')
        .where({ state: 'active' })
        .andWhere('kb.id IN (SELECT kb_id FROM knowledge_base_members WHERE user_id = :userId)', {
          userId: user.id,
        }),
      query,
      (kb) => toKnowledgeBaseDto(kb, roleOf.get(kb.id) ?? 'member'),
    );
  }

  async get(user: DashboardUser, kbId: string): Promise<KnowledgeBaseDto> {
    const role = await this.requireMember(user, kbId);
    const kb = await this.knowledgeBases.findOneBy({ id: kbId, state: 'active' });
    if (!kb) throw new Problem('not_found');
    return toKnowledgeBaseDto(kb, role);
  }

  async update(
    user: DashboardUser,
    kbId: string,
    dto: UpdateKnowledgeBaseDto,
  ): Promise<KnowledgeBaseDto> {
    await this.requireMember(user, kbId);
    const fields = Object.keys(dto).filter((field) => dto[field as keyof typeof dto] !== undefined);
    if (fields.length === 0) return this.get(user, kbId);
    await this.unitOfWork.run(async (manager) => {
      const { affected } = await manager.update(
        KnowledgeBase,
        { id: kbId, state: 'active' },
        { name: dto.name, description: dto.description, updatedAt: new Date() },
      );
      if (affected !== 1) throw new Problem('not_found');
      await this.auditLog.record(manager, user, {
        kbId,
        action: 'knowledge_base.updated',
        targetId: kbId,
        details: { fields },
      });
    });
    return this.get(user, kbId);
  }

  /** From the moment this returns nobody reaches the knowledge base; its rows go in the background. */
  async delete(user: DashboardUser, kbId: string): Promise<void> {
    await this.requireOwner(user, kbId);
    const { affected } = await this.unitOfWork.run((manager) =>
      manager.update(KnowledgeBase, { id: kbId, state: 'active' }, { state: 'deactivated' }),
    );
    if (affected !== 1) throw new Problem('not_found');
    this.purge.start();
  }

  /**
   * The one answer to "may this user touch this knowledge base?".
   *
   * @returns the user's role
   * @throws Problem `not_found`, the same for a stranger as for an id that does not exist
   */
  async requireMember(user: DashboardUser, kbId: string): Promise<MemberRole> {
    // `findOneBy` would ask twice, because of the join.
    const member = await this.members
      .createQueryBuilder('member')
      .innerJoin('member.knowledgeBase', 'kb', `kb.state = 'active'`)
      .where({ kbId, userId: user.id })
      .getOne();
    if (!member) throw new Problem('not_found');
    return member.role;
  }

  /** @throws Problem `not_found` for a stranger, `owner_required` for a member */
  async requireOwner(user: DashboardUser, kbId: string): Promise<void> {
    if ((await this.requireMember(user, kbId)) !== 'owner') throw new Problem('owner_required');
  }

  /**
   * Makes other units of work on the knowledge base that also lock it wait, for rules that span
   * rows: the last owner, duplicates, the number of keys.
   *
   * @throws Problem `not_found` when it was deleted meanwhile
   */
  async lock(manager: EntityManager, kbId: string): Promise<void> {
    const rows = manager
      .createQueryBuilder(KnowledgeBase, 'kb')
      .select('kb.id')
      .where({ id: kbId, state: 'active' });
    // On SQLite there is one unit of work at a time.
    if (manager.dataSource.options.type === 'postgres') rows.setLock('for_no_key_update');
    if (!(await rows.getOne())) throw new Problem('not_found');
  }

  private async insert(
    manager: EntityManager,
    user: DashboardUser,
    dto: CreateKnowledgeBaseDto,
  ): Promise<KnowledgeBaseDto> {
    const now = new Date();
    const id = newId('kb');
    await manager.insert(KnowledgeBase, {
      id,
      name: dto.name,
      description: dto.description ?? null,
      state: 'active',
      createdAt: now,
      updatedAt: now,
    });
    await manager.insert(KnowledgeBaseMember, {
      id: newId('member'),
      kbId: id,
      userId: user.id,
      role: 'owner',
      createdAt: now,
    });
    return toKnowledgeBaseDto(await manager.findOneByOrFail(KnowledgeBase, { id }), 'owner');
  }
}
