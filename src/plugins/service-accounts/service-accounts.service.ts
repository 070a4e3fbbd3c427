import { Events, shownId } from '../../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { lockName, lockRows } from '../../platform/database/dialect.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Page, PageQueryDto } from '../../platform/http/page.dto.js';
import { paginate } from '../../platform/http/paginate.js';
import { newId } from '../../platform/http/type-id.js';
import { Idempotency, IdempotentRequest } from '../../platform/idempotency/idempotency.js';
import { Problem, quotaReached } from '../../platform/problems/problem.js';
import {
  type ResourceResolver,
  ResolvesResource,
  type StandaloneAccess,
} from '../../knowledge-bases/access.js';
import type { Change } from '../../knowledge-bases/events/event.js';
import { AuditLog } from '../../knowledge-bases/audit/audit-log.js';
import { changedFields } from '../../knowledge-bases/audit/changed-fields.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { toMembershipParameters } from '../../knowledge-bases/directory/memberships.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { KnowledgeBaseMember } from '../../knowledge-bases/knowledge-base-member.entity.js';
import { OwnedKeys } from '../../knowledge-bases/owned-keys.js';
import { ACCOUNTS_IN_CHARGE } from './in-charge.js';
import { findRoles, findRolesInServiceAccount } from './service-account-access.js';
import {
  CreateServiceAccountDto,
  ServiceAccountDto,
  ServiceAccountRoleDto,
  UpdateServiceAccountDto,
} from './service-account.dto.js';
import { ServiceAccount } from './service-account.entity.js';

/** Locks the service account, since its rules span memberships. */
const IN_CHARGE = { role: 'owner', lock: 'knowledge base' } as const;

@Injectable()
@ResolvesResource({ resource: 'sa', prefix: 'sa', withoutDocuments: true })
export class ServiceAccountsService implements ResourceResolver {
  readonly standaloneAccess: StandaloneAccess = {
    visibleIds: ACCOUNTS_IN_CHARGE,
    findRoles: findRolesInServiceAccount,
    lock: async (manager, id) => {
      const account = manager.createQueryBuilder(ServiceAccount, 'sa').where({ id });
      return (await lockRows(account).getOne()) !== null;
    },
  };

  constructor(
    @InjectRepository(ServiceAccount) private readonly accounts: Repository<ServiceAccount>,
    private readonly access: KnowledgeBaseAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly auditLog: AuditLog,
    private readonly events: Events,
    private readonly keys: OwnedKeys,
    private readonly config: Config,
  ) {}

  /** A service account belongs to no knowledge base. */
  findKbId(id: string): Promise<string> {
    return Promise.resolve(id);
  }

  async create(
    user: DashboardUser,
    dto: CreateServiceAccountDto,
    request?: IdempotentRequest,
  ): Promise<ServiceAccountDto> {
    const { name, kbs = [], all = false } = dto;
    const { answer } = await this.unitOfWork.run((manager) =>
      this.idempotency.once(manager, user.id, request, async () => {
        await this.requireQuota(manager, user.id);
        const id = newId('sa');
        const account = { id, name, createsKnowledgeBases: all, createdBy: shownId(user) };
        await manager.insert(ServiceAccount, { ...account, createdAt: new Date() });
        await this.setRoles(manager, user, id, kbs);
        await this.record(manager, user, 'service_account.created', id, { name });
        return this.read(manager, id);
      }),
    );
    return answer;
  }

  async list(user: DashboardUser, query: PageQueryDto): Promise<Page<ServiceAccountDto>> {
    const { manager } = this.accounts;
    const accounts = this.accounts
      .createQueryBuilder('sa')
      .where(`sa.id IN (${ACCOUNTS_IN_CHARGE})`, toMembershipParameters(user));
    const { data, ...page } = await paginate(accounts, query, (account) => account);
    const roles = await findRoles(
      manager,
      data.map(({ id }) => id),
    );
    return { data: data.map((account) => toDto(account, roles)), ...page };
  }

  async get(user: DashboardUser, id: string): Promise<ServiceAccountDto> {
    await this.access.require(user, id, 'owner');
    return this.read(this.accounts.manager, id);
  }

  async update(
    user: DashboardUser,
    id: string,
    dto: UpdateServiceAccountDto,
  ): Promise<ServiceAccountDto> {
    const fields = changedFields(dto);
    if (fields.length === 0) return this.get(user, id);
    return this.access.change(user, id, IN_CHARGE, async (manager) => {
      if (dto.name !== undefined) await manager.update(ServiceAccount, { id }, { name: dto.name });
      if (dto.kbs) await this.setRoles(manager, user, id, dto.kbs);
      await this.record(manager, user, 'service_account.updated', id, { fields });
      return this.read(manager, id);
    });
  }

  /**
   * Deletes a service account and its keys. What an identity provider pushed with them is deleted with its
   * row.
   */
  async delete(user: DashboardUser, id: string): Promise<void> {
    await this.access.change(user, id, IN_CHARGE, async (manager) => {
      const { name } = await manager.findOneByOrFail(ServiceAccount, { id });
      await this.setRoles(manager, user, id, []);
      await manager.delete(KnowledgeBaseMember, { userId: id });
      await manager.delete(ServiceAccount, { id });
      await this.keys.deleteOf(manager, id);
      await this.record(manager, user, 'service_account.deleted', id, { name });
      await this.auditLog.keepForOwners(manager, id, [user.id]);
    });
  }

  /** Replaces the roles. The user must own each knowledge base that is added, removed or changed. */
  private async setRoles(
    manager: EntityManager,
    user: DashboardUser,
    id: string,
    wanted: readonly ServiceAccountRoleDto[],
  ): Promise<void> {
    const current = new Map((await findRoles(manager, [id])).map((role) => [role.kbId, role.role]));
    const next = new Map(wanted.map(({ kb_id: kbId, role }) => [kbId, role]));
    // All transactions take the knowledge bases in the same order, so that they cannot deadlock.
    for (const kbId of [...new Set([...current.keys(), ...next.keys()])].sort()) {
      const [before, role] = [current.get(kbId), next.get(kbId)];
      if (before === role) continue;
      await this.access.authorize(manager, user, kbId, { role: 'owner', lock: 'membership' });
      if (before !== undefined) await manager.delete(KnowledgeBaseMember, { kbId, userId: id });
      if (role !== undefined) {
        const member = { id: newId('member'), kbId, userId: id, role, createdAt: new Date() };
        await manager.insert(KnowledgeBaseMember, member);
      }
      const action = toAction(before !== undefined, role !== undefined);
      await this.events.recordChange(manager, user, {
        ...{ kbId, action, targetId: id },
        ...(role !== undefined && { details: { role } }),
      });
    }
  }

  private record(
    manager: EntityManager,
    user: DashboardUser,
    action: Change,
    id: string,
    details: object,
  ): Promise<void> {
    return this.events.recordChange(manager, user, { kbId: id, action, targetId: id, details });
  }

  private async read(manager: EntityManager, id: string): Promise<ServiceAccountDto> {
    const account = await manager.findOneBy(ServiceAccount, { id });
    if (!account) throw new Problem('not_found');
    return toDto(account, await findRoles(manager, [id]));
  }

  private async requireQuota(manager: EntityManager, createdBy: string): Promise<void> {
    await lockName(manager, `service accounts of ${createdBy}`);
    const { MAX_KNOWLEDGE_BASES_PER_USER: limit } = this.config;
    const made = manager
      .createQueryBuilder(ServiceAccount, 'sa')
      .where('LOWER(sa.createdBy) = :createdBy', { createdBy });
    if ((await made.getCount()) >= limit) {
      throw quotaReached('MAX_KNOWLEDGE_BASES_PER_USER', limit);
    }
  }
}

const toAction = (was: boolean, is: boolean): Change =>
  was ? (is ? 'member.role_changed' : 'member.removed') : 'member.added';

const toDto = (
  account: ServiceAccount,
  roles: readonly KnowledgeBaseMember[],
): ServiceAccountDto => ({
  id: account.id,
  name: account.name,
  kbs: roles
    .filter(({ userId }) => userId === account.id)
    .map(({ kbId, role }) => ({ kb_id: kbId, role })),
  all: account.createsKnowledgeBases,
  created_by: account.createdBy,
  created_at: account.createdAt.toISOString(),
});
