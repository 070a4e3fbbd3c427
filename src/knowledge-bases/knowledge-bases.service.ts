import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { Config } from '../config/config.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { isPostgres, lockRows } from '../database/dialect.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { Idempotency, IdempotentRequest } from '../idempotency/idempotency.js';
import { Page, PageQueryDto } from '../http/page.dto.js';
import { paginate } from '../http/paginate.js';
import { Problem, quotaReached } from '../problems/problem.js';
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

/** What a change needs. */
export interface ChangeOptions {
  readonly role: MemberRole;
  /**
   * What is locked until it is committed: the user's `membership` where conditional updates of one
   * row suffice, the `knowledge base` for rules that span rows, such as the number of keys. Both
   * queue up; locks that are shared would let a member hold up their removal by going on.
   */
  readonly lock: 'membership' | 'knowledge base';
}

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
    private readonly config: Config,
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
    const fields = Object.keys(dto).filter((field) => dto[field as keyof typeof dto] !== undefined);
    if (fields.length === 0) return this.get(user, kbId);
    const options = { role: 'member', lock: 'knowledge base' } as const;
    const role = await this.change(user, kbId, options, async (manager, current) => {
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
      return current;
    });
    // Counting its documents takes too long for the transaction; whoever is removed by now is still
    // told what came of their change.
    const kb = await this.knowledgeBases.findOneBy({ id: kbId });
    if (!kb) throw new Problem('not_found');
    return toKnowledgeBaseDto(kb, role);
  }

  /** From the moment this returns nobody reaches the knowledge base; its rows go in the background. */
  async delete(user: DashboardUser, kbId: string): Promise<void> {
    const options = { role: 'owner', lock: 'knowledge base' } as const;
    await this.change(user, kbId, options, async (manager) => {
      // Waits for changes that have locked a membership alone, and refuses those that come later.
      await lockRows(manager.createQueryBuilder(KnowledgeBaseMember, 'member').where({ kbId }))
        .orderBy('member.id')
        .getMany();
      const { affected } = await manager.update(
        KnowledgeBase,
        { id: kbId, state: 'active' },
        { state: 'deactivated' },
      );
      if (affected !== 1) throw new Problem('not_found');
      await this.recordDeletion(manager, user, kbId);
    });
    this.purge.start();
  }

  /**
   * Runs the unit of work by which a user changes a knowledge base, or anything in it. Whether they
   * may is decided within: a removal from the members, a lost role or the deletion of the knowledge
   * base that was committed before refuses the change, and one that comes later waits for it.
   *
   * @throws Problem as `requireMember` and `requireOwner`; nothing was changed then
   */
  async change<T>(
    user: DashboardUser,
    kbId: string,
    { role, lock }: ChangeOptions,
    work: (manager: EntityManager, role: MemberRole) => Promise<T>,
  ): Promise<T> {
    // Strangers are refused without a lock, which members would wait for.
    requireRole(role, await this.requireMember(user, kbId));
    return this.unitOfWork.run(async (manager) => {
      if (lock === 'knowledge base') await this.lock(manager, kbId);
      return work(manager, await this.authorize(manager, user, kbId, { role, lock }));
    });
  }

  /**
   * Locks a knowledge base until the unit of work ends; `authorize` comes after it.
   *
   * @throws Problem `not_found` when it was deleted meanwhile
   */
  async lock(manager: EntityManager, kbId: string): Promise<void> {
    if (!(await lockRows(active(manager, kbId)).getOne())) throw new Problem('not_found');
  }

  /**
   * Decides on a change within its unit of work, after `lock` where that is what it locks.
   *
   * @returns the user's role
   * @throws Problem `not_found` for a stranger, `owner_required` for a member who is no owner
   */
  async authorize(
    manager: EntityManager,
    { id: userId }: DashboardUser,
    kbId: string,
    { role, lock }: ChangeOptions,
  ): Promise<MemberRole> {
    const rows = manager.createQueryBuilder(KnowledgeBaseMember, 'member').where({ kbId, userId });
    if (lock === 'knowledge base') return requireRole(role, (await rows.getOne())?.role);
    const member = await lockRows(rows).getOne();
    // A statement of its own: it sees a deletion that this one has waited for.
    if (!(await active(manager, kbId).getExists())) throw new Problem('not_found');
    return requireRole(role, member?.role);
  }

  /**
   * The one answer to "may this user touch this knowledge base?", as of now; for changes see
   * `change`.
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
    return requireRole('member', member?.role);
  }

  /** @throws Problem `not_found` for a stranger, `owner_required` for a member */
  async requireOwner(user: DashboardUser, kbId: string): Promise<void> {
    requireRole('owner', await this.requireMember(user, kbId));
  }

  /** Those that the user has created, whoever owns them now: others cannot use the quota up. */
  private async requireQuota(manager: EntityManager, { id }: DashboardUser): Promise<void> {
    if (isPostgres(manager.dataSource)) {
      const lock = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
      await manager.query(lock, [`knowledge bases of ${id}`]);
    }
    const { maxKnowledgeBasesPerUser: limit } = this.config;
    if ((await manager.countBy(KnowledgeBase, { createdBy: id, state: 'active' })) >= limit) {
      throw quotaReached('MAX_KNOWLEDGE_BASES_PER_USER', limit);
    }
  }

  private async insert(
    manager: EntityManager,
    user: DashboardUser,
    dto: CreateKnowledgeBaseDto,
  ): Promise<KnowledgeBaseDto> {
    await this.requireQuota(manager, user);
    const now = new Date();
    const id = newId('kb');
    await manager.insert(KnowledgeBase, {
      id,
      name: dto.name,
      description: dto.description ?? null,
      state: 'active',
      createdBy: user.id,
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
    await this.auditLog.record(manager, user, {
      kbId: id,
      action: 'knowledge_base.created',
      targetId: id,
      details: { name: dto.name },
    });
    return toKnowledgeBaseDto(await manager.findOneByOrFail(KnowledgeBase, { id }), 'owner');
  }

  private async recordDeletion(
    manager: EntityManager,
    user: DashboardUser,
    kbId: string,
  ): Promise<void> {
    const { name } = await manager.findOneByOrFail(KnowledgeBase, { id: kbId });
    const owners = await manager.findBy(KnowledgeBaseMember, { kbId, role: 'owner' });
    await this.auditLog.record(manager, user, {
      kbId,
      action: 'knowledge_base.deleted',
      targetId: kbId,
      details: { name },
    });
    await this.auditLog.keepFor(
      manager,
      kbId,
      owners.map(({ userId }) => userId),
    );
  }
}

const active = (manager: EntityManager, kbId: string) =>
  manager
    .createQueryBuilder(KnowledgeBase, 'kb')
    .select('kb.id')
    .where({ id: kbId, state: 'active' });

function requireRole(required: MemberRole, role: MemberRole | undefined): MemberRole {
  if (role === undefined) throw new Problem('not_found');
  if (required === 'owner' && role !== 'owner') throw new Problem('owner_required');
  return role;
}
