import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { toComparableName } from '@latchkey/text/person-name';
import { type EntityManager, In, IsNull, Not, type ObjectLiteral, Raw, Repository } from 'typeorm';
import { ApiKey } from '../../api-keys/api-key.entity.js';
import { WITH_SECRET } from '../../api-keys/find-api-key.js';
import { TrustedIssuer } from '../trusted-issuers/trusted-issuer.entity.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { GROUP_PREFIX } from '../../knowledge-bases/dashboard-auth/user-groups.js';
import { Directory } from './directory.js';
import { DirectoryMembership } from './directory-membership.entity.js';
import { DirectoryUser } from './directory-user.entity.js';
import { KnowledgeBaseMember } from '../../knowledge-bases/knowledge-base-member.entity.js';
import { Config } from '../../platform/config/config.js';
import { isTypeId, newId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';
import { DirectoryQuota } from './directory-quota.js';
import {
  activeField,
  invalid,
  optionalText,
  readPage,
  readProfile,
  type Resource,
  textField,
} from './scim-fields.js';
import { USER } from './scim-attributes.js';
import { applyPatch } from './scim-patch.js';
import { type FilteredAttribute, whereFiltered } from './where-filtered.js';
import { listResponse, type MadeByUser, toUserResource } from './scim-resources.js';

const FILTERED: Record<string, FilteredAttribute> = {
  userName: { condition: (value) => `person.comparedName = ${value}`, compared: toComparableName },
  externalId: { condition: (value) => `person.externalId = ${value}` },
  id: { condition: (value) => `person.id = ${value}` },
};
const MAX_KEYS = 1000;

/** The persons whom a service account's identity provider pushes. */
@Injectable()
export class ScimUsers {
  constructor(
    @InjectRepository(DirectoryUser) private readonly users: Repository<DirectoryUser>,
    private readonly directory: Directory,
    private readonly config: Config,
    private readonly quota: DirectoryQuota,
  ) {}

  async list(account: DashboardUser, query: Resource): Promise<Resource> {
    const rows = this.users
      .createQueryBuilder('person')
      .where({ serviceAccountId: account.id, removedAt: IsNull() });
    whereFiltered(rows, query, FILTERED);
    const { skip, take } = readPage(query);
    const [users, total] = await rows.orderBy('person.id').skip(skip).take(take).getManyAndCount();
    return listResponse(
      users.map((user) => toUserResource(user)),
      total,
      skip,
    );
  }

  async get(account: DashboardUser, id: string): Promise<Resource> {
    return this.read(this.users.manager, account, id);
  }

  async create(account: DashboardUser, body: Resource): Promise<Resource> {
    return this.directory.change(account, async (manager, kbIds) => {
      const fields = this.readFields(body, true);
      const now = new Date();
      // Earlier versions leave `comparedName` null.
      const { comparedName: name, userName } = fields;
      const named = [{ comparedName: name }, { userName }];
      const present = named.map((one) => ({ ...one, removedAt: IsNull() }));
      if (await findUser(manager, account, ...present)) throw taken();
      const former = await findUser(manager, account, ...named);
      const id = former?.id ?? newId('usr');
      if (former) {
        await manager.update(DirectoryUser, { id }, { ...fields, removedAt: null, updatedAt: now });
      } else {
        const times = { createdAt: now, updatedAt: now, removedAt: null };
        await manager.insert(DirectoryUser, {
          ...{ id, serviceAccountId: account.id },
          ...fields,
          ...times,
        });
        await this.quota.require(manager, account, 'MAX_DIRECTORY_USERS');
      }
      return this.finish(manager, account, kbIds, id);
    });
  }

  async replace(account: DashboardUser, id: string, body: Resource): Promise<Resource> {
    return this.change(account, id, () => body);
  }

  async patch(account: DashboardUser, id: string, body: Resource): Promise<Resource> {
    return this.change(account, id, ({ userName, externalId, active, profile }) => {
      const before = { ...profile, id, userName, externalId, active };
      return applyPatch(USER, before, body).resource;
    });
  }

  async delete(account: DashboardUser, id: string): Promise<void> {
    await this.directory.change(account, async (manager, kbIds) => {
      const user = await findUser(manager, account, { id, removedAt: IsNull() });
      if (!user) throw new Problem('not_found');
      // Earlier versions stored two spellings of one person; the other row says whether the person has left.
      const { userId } = user;
      const other = await findUser(manager, account, { userId, removedAt: IsNull(), id: Not(id) });
      if (other) await manager.delete(DirectoryUser, { id });
      else {
        const left = { userId, active: false, removedAt: new Date(), updatedAt: new Date() };
        await manager.update(DirectoryUser, { id }, left);
        await manager.delete(DirectoryMembership, { userId: id });
      }
      if (!other?.active) await this.end(manager, account, kbIds, user);
    });
  }

  private change(
    account: DashboardUser,
    id: string,
    next: (user: DirectoryUser) => Resource,
  ): Promise<Resource> {
    return this.directory.change(account, async (manager, kbIds) => {
      const user = await findUser(manager, account, { id, removedAt: IsNull() });
      if (!user) throw new Problem('not_found');
      const fields = this.readFields(next(user), user.active);
      // An inactive user keeps the former id, because a new id would be let in again.
      if (!fields.active) fields.userId = user.userId;
      const { comparedName: name, userName } = fields;
      const named = [{ comparedName: name }, { userName }].map((one) => ({ ...one, id: Not(id) }));
      const isRenamed = name !== toComparableName(user.userName);
      if (isRenamed && (await findUser(manager, account, ...named))) throw taken();
      // With a new id, the user becomes another principal here, so the former one loses its access.
      if (user.userId !== fields.userId) await this.end(manager, account, kbIds, user);
      await manager.update(DirectoryUser, { id }, { ...fields, updatedAt: new Date() });
      return this.finish(manager, account, kbIds, id);
    });
  }

  /** @param isActive the value if `body` leaves `active` out, so that an omission never reactivates a user */
  private readFields(body: Resource, isActive: boolean) {
    const userName = textField(body, 'userName');
    const externalId = optionalText(body, 'externalId');
    const id = (this.config.SCIM_USER_ID === 'externalId' ? externalId : undefined) ?? userName;
    const userId = toComparableName(id);
    if (isOfNoPerson(userId)) {
      throw invalid('A user cannot have the id of a group or of a service account.');
    }
    return {
      ...{ userName, comparedName: toComparableName(userName), externalId, userId },
      active: activeField(body, isActive),
      profile: readProfile(body),
    };
  }

  private async finish(
    manager: EntityManager,
    account: DashboardUser,
    kbIds: readonly string[],
    id: string,
  ): Promise<Resource> {
    const user = await manager.findOneByOrFail(DirectoryUser, { id });
    if (!user.active) await this.end(manager, account, kbIds, user);
    return this.read(manager, account, id);
  }

  private async end(
    manager: EntityManager,
    account: DashboardUser,
    kbIds: readonly string[],
    user: DirectoryUser,
  ): Promise<void> {
    const { keys, trusts } = await madeBy(manager, kbIds, user.userId);
    const details = {
      left: true,
      api_keys: keys.map(({ id }) => id),
      trusted_issuers: trusts.map(({ id }) => id),
    };
    await this.directory.remove(manager, account, kbIds, user, details);
  }

  /**
   * Includes the keys and trusted issuers that the person created, because a person who has left may still
   * know the secrets and control the workloads.
   */
  private async read(
    manager: EntityManager,
    account: DashboardUser,
    id: string,
  ): Promise<Resource> {
    const user = await findUser(manager, account, { id, removedAt: IsNull() });
    if (!user) throw new Problem('not_found');
    const owned = await manager.findBy(KnowledgeBaseMember, { userId: account.id, role: 'owner' });
    const kbIds = owned.map(({ kbId }) => kbId);
    return toUserResource(user, await madeBy(manager, kbIds, user.userId));
  }
}

const isOfNoPerson = (userId: string): boolean =>
  userId.startsWith(GROUP_PREFIX) || isTypeId('sa', userId);

const taken = () =>
  new Problem('validation_failed', {
    status: 409,
    detail: 'Another user in the directory already has this userName.',
  });

/** Compares normalised ids, because a process of the previous version may have stored another spelling. */
async function findUser(
  manager: EntityManager,
  { id: serviceAccountId }: DashboardUser,
  ...where: readonly ObjectLiteral[]
): Promise<DirectoryUser | null> {
  const one = where.map((condition) => ({ serviceAccountId, ...condition }));
  const user = await manager.findOneBy(DirectoryUser, one);
  if (user) user.userId = toComparableName(user.userId);
  return user;
}

async function madeBy(
  manager: EntityManager,
  kbIds: readonly string[],
  userId: string,
): Promise<MadeByUser> {
  const createdBy = Raw<string>((column) => `LOWER(${column}) = :userId`, { userId });
  const made = { ownerId: In([...kbIds]), createdBy, state: 'active' } as const;
  const options = { order: { id: 'ASC' }, take: MAX_KEYS } as const;
  const keys = await manager.find(ApiKey, { where: { ...WITH_SECRET, ...made }, ...options });
  const trusts = await manager.find(TrustedIssuer, {
    relations: { apiKey: true },
    where: { apiKey: { ...made, deletedAt: IsNull() } },
    ...options,
  });
  return { keys, trusts };
}
