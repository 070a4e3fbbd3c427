import { Events } from './events/events.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { toComparableName } from '@latchkey/text/person-name';
import { type ResourceResolver, ResolvesResource } from './access.js';
import { AuditLog } from './audit/audit-log.js';
import { changedFields } from './audit/changed-fields.js';
import { Config } from '../platform/config/config.js';
import { type DashboardUser, getPrincipals } from './dashboard-auth/dashboard-user.js';
import { whereReadable } from './access-rules/readable.js';
import { lockName, lockRows } from '../platform/database/dialect.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { SearchStatus } from '../platform/health/search-status.js';
import { Idempotency, IdempotentRequest } from '../platform/idempotency/idempotency.js';
import { Page, PageQueryDto } from '../platform/http/page.dto.js';
import { paginate } from '../platform/http/paginate.js';
import { Problem, quotaReached } from '../platform/problems/problem.js';
import { newId } from '../platform/http/type-id.js';
import { Jobs } from '../platform/jobs/jobs.js';
import { countVectors } from './count-vectors.js';
import { isMembership, toMembershipParameters } from './directory/memberships.js';
import { highestRole, KnowledgeBaseAccess } from './knowledge-base-access.js';
import { KnowledgeBaseMember, type MemberRole } from './knowledge-base-member.entity.js';
import { KnowledgeBasePurge } from './knowledge-base-purge.js';
import {
  CreateKnowledgeBaseDto,
  KnowledgeBaseDto,
  toKnowledgeBaseDto,
  UpdateKnowledgeBaseDto,
} from './knowledge-base.dto.js';
import { KnowledgeBase } from './knowledge-base.entity.js';
import { requireNoLegalHold } from './settings/legal-hold.js';

@Injectable()
@ResolvesResource({ resource: 'kb', prefix: 'kb' })
export class KnowledgeBasesService implements ResourceResolver {
  constructor(
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
    @InjectRepository(KnowledgeBaseMember)
    private readonly members: Repository<KnowledgeBaseMember>,
    private readonly access: KnowledgeBaseAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly idempotency: Idempotency,
    private readonly auditLog: AuditLog,
    private readonly events: Events,
    private readonly config: Config,
    private readonly searchStatus: SearchStatus,
  ) {}

  findKbId(id: string): Promise<string> {
    return Promise.resolve(id);
  }

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
    const memberships = await this.members
      .createQueryBuilder('member')
      .where(isMembership('member'), toMembershipParameters(user))
      .getMany();
    const byKb = Map.groupBy(memberships, ({ kbId }) => kbId);
    const { data, ...page } = await paginate(
      this.knowledgeBases
        .createQueryBuilder('kb')
        .where({ state: 'active' })
        .andWhere(
          `kb.id IN (SELECT member.kb_id FROM knowledge_base_members member WHERE ${isMembership('member')})`,
          toMembershipParameters(user),
        ),
      query,
      (kb) => kb,
    );
    const ids = data.map(({ id }) => id);
    const vectors = await countVectors(this.knowledgeBases.manager, ids, this.searchStatus);
    const counted = data.map(async (kb) => {
      const role = highestRole(byKb.get(kb.id) ?? []) ?? 'viewer';
      const seen = await this.withReadable(kb, role, user);
      return toKnowledgeBaseDto(seen, role, vectors.get(kb.id) ?? 0);
    });
    return { data: await Promise.all(counted), ...page };
  }

  async get(user: DashboardUser, kbId: string): Promise<KnowledgeBaseDto> {
    const role = await this.access.requireMember(user, kbId);
    const kb = await this.knowledgeBases.findOneBy({ id: kbId, state: 'active' });
    if (!kb) throw new Problem('not_found');
    return this.toDto(await this.withReadable(kb, role, user), role);
  }

  async update(
    user: DashboardUser,
    kbId: string,
    dto: UpdateKnowledgeBaseDto,
  ): Promise<KnowledgeBaseDto> {
    const fields = changedFields(dto);
    if (fields.length === 0) return this.get(user, kbId);
    const options = { role: 'member', lock: 'knowledge base' } as const;
    const role = await this.access.change(user, kbId, options, async (manager, current) => {
      const { affected } = await manager.update(
        KnowledgeBase,
        { id: kbId, state: 'active' },
        { name: dto.name, description: dto.description, updatedAt: new Date() },
      );
      if (affected !== 1) throw new Problem('not_found');
      await this.events.recordChange(manager, user, {
        kbId,
        action: 'knowledge_base.updated',
        targetId: kbId,
        details: { fields },
      });
      return current;
    });
    // The documents are counted after the transaction, because that takes long. There is no second access
    // check: a user who is removed now still gets the response to the change.
    const kb = await this.knowledgeBases.findOneBy({ id: kbId });
    if (!kb) throw new Problem('not_found');
    return this.toDto(kb, role);
  }

  /**
   * Deletes a knowledge base: once this returns, it is inaccessible. Its rows are removed in the
   * background.
   */
  async delete(user: DashboardUser, kbId: string): Promise<void> {
    const options = { role: 'owner', lock: 'knowledge base' } as const;
    await this.access.change(user, kbId, options, async (manager) => {
      // Running changes may hold only the lock of a membership, so all memberships are locked to wait for
      // them.
      const memberships = manager.createQueryBuilder(KnowledgeBaseMember, 'member').where({ kbId });
      const members = await lockRows(memberships).orderBy('member.id').getMany();
      await requireNoLegalHold(manager, kbId);
      const active = { id: kbId, state: 'active' as const };
      const { affected } = await manager.update(KnowledgeBase, active, { state: 'deactivated' });
      if (affected !== 1) throw new Problem('not_found');
      const { name } = await manager.findOneOrFail(KnowledgeBase, {
        select: { name: true },
        where: { id: kbId },
      });
      await this.events.recordChange(manager, user, {
        kbId,
        action: 'knowledge_base.deleted',
        targetId: kbId,
        details: { name },
      });
      const owners = members.filter(({ role }) => role === 'owner');
      const ownerIds = owners.map(({ userId }) => userId);
      await this.auditLog.keepForOwners(manager, kbId, ownerIds);
    });
    this.jobs.start(KnowledgeBasePurge);
  }

  /** For viewers, counts only the documents that they may read. */
  private async withReadable(
    kb: KnowledgeBase,
    role: MemberRole,
    user: DashboardUser,
  ): Promise<KnowledgeBase> {
    if (role !== 'viewer' || kb.accessVersion === 0) return kb;
    const { manager } = this.knowledgeBases;
    const documents = manager
      .createQueryBuilder()
      .select('COUNT(*)', 'documents')
      .addSelect('COALESCE(SUM(document.passage_count), 0)', 'passages')
      .from('documents', 'document')
      .where(`document.kb_id = :kbId AND document.state = 'active'`, { kbId: kb.id });
    const row = await whereReadable(documents, 'document', kb.id, getPrincipals(user)).getRawOne<{
      documents: number | string;
      passages: number | string;
    }>();
    const [documentCount, passageCount] = [Number(row?.documents), Number(row?.passages)];
    return { ...kb, documentCount, passageCount };
  }

  private async toDto(kb: KnowledgeBase, role: MemberRole): Promise<KnowledgeBaseDto> {
    const vectors = await countVectors(this.knowledgeBases.manager, [kb.id], this.searchStatus);
    return toKnowledgeBaseDto(kb, role, vectors.get(kb.id) ?? 0);
  }

  /**
   * Limits the knowledge bases that a user has created. Ownership given by others does not use up a quota.
   */
  private async requireQuota(manager: EntityManager, id: string): Promise<void> {
    await lockName(manager, `knowledge bases of ${id}`);
    const { MAX_KNOWLEDGE_BASES_PER_USER: limit } = this.config;
    if ((await manager.countBy(KnowledgeBase, { createdBy: id, state: 'active' })) >= limit) {
      throw quotaReached('MAX_KNOWLEDGE_BASES_PER_USER', limit);
    }
  }

  /**
   * The first owners of a knowledge base: its creator, and for a service account also the persons in charge
   * of it, so that a person can always access the knowledge base.
   *
   * @throws Problem `insufficient_role`
   */
  private async firstOwners(manager: EntityManager, user: DashboardUser): Promise<string[]> {
    const { id, serviceAccount } = user;
    if (!serviceAccount) return [id];
    await this.access.lock(manager, id);
    await serviceAccount.confirm(manager);
    const persons = await serviceAccount.findPersonsInCharge(manager);
    if (serviceAccount.createsKnowledgeBases && persons.length > 0) return [id, ...persons];
    throw new Problem('insufficient_role', {
      detail:
        'The service account was created without `all`, or nobody owns all of its knowledge bases any more.',
    });
  }

  private async insert(
    manager: EntityManager,
    user: DashboardUser,
    dto: CreateKnowledgeBaseDto,
  ): Promise<KnowledgeBaseDto> {
    // It counts towards the person, because service accounts give nobody a second quota or share.
    const createdBy = toComparableName(user.serviceAccount?.createdBy ?? user.id);
    await this.requireQuota(manager, createdBy);
    const owners = await this.firstOwners(manager, user);
    const now = new Date();
    const id = newId('kb');
    await manager.insert(KnowledgeBase, {
      id,
      name: dto.name,
      description: dto.description ?? null,
      state: 'active',
      createdBy,
      createdAt: now,
      updatedAt: now,
    });
    const owner = { kbId: id, role: 'owner', createdAt: now } as const;
    await manager.insert(
      KnowledgeBaseMember,
      owners.map((userId) => {
        const writtenId = userId === user.id ? (user.writtenId ?? null) : null;
        return { ...owner, id: newId('member'), userId, writtenId };
      }),
    );
    await this.events.recordChange(manager, user, {
      kbId: id,
      action: 'knowledge_base.created',
      targetId: id,
      details: { name: dto.name },
    });
    return toKnowledgeBaseDto(await manager.findOneByOrFail(KnowledgeBase, { id }), 'owner', 0);
  }
}
