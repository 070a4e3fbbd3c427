import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, Not, Repository } from 'typeorm';
import { groupPrincipal } from '../../knowledge-bases/access-rules/principals.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Directory } from './directory.js';
import { DirectoryGroup } from './directory-group.entity.js';
import { DirectoryMembership } from './directory-membership.entity.js';
import { DirectoryUser } from './directory-user.entity.js';
import { newId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';
import { DirectoryQuota } from './directory-quota.js';
import { GROUP } from './scim-attributes.js';
import { noTarget } from './scim-error.js';
import {
  invalid,
  memberIds,
  optionalText,
  readPage,
  type Resource,
  textField,
} from './scim-fields.js';
import { applyPatch, type MembersChange } from './scim-patch.js';
import { type FilteredAttribute, whereFiltered } from './where-filtered.js';
import { hasAttribute } from './selected-attributes.js';
import { type GroupMember, listResponse, toGroupResource } from './scim-resources.js';

const FILTERED: Record<string, FilteredAttribute> = {
  displayName: { condition: (value) => `grp.principal = ${value}`, compared: groupPrincipal },
  externalId: { condition: (value) => `grp.externalId = ${value}` },
  id: { condition: (value) => `grp.id = ${value}` },
  members: {
    condition: (value) => `EXISTS (SELECT 1 FROM directory_memberships one
      WHERE one.group_id = grp.id AND one.user_id = ${value})`,
  },
};
/** The maximum for all groups of a list together, unless the first group alone has more. */
const MAX_LISTED_MEMBERS = 50_000;
/** The maximum per statement, because databases limit its parameters. */
const BATCH = 500;

/** The groups that a service account's identity provider pushes. */
@Injectable()
export class ScimGroups {
  constructor(
    @InjectRepository(DirectoryGroup) private readonly groups: Repository<DirectoryGroup>,
    private readonly directory: Directory,
    private readonly quota: DirectoryQuota,
  ) {}

  async list(account: DashboardUser, query: Resource): Promise<Resource> {
    const rows = this.groups.createQueryBuilder('grp').where({ serviceAccountId: account.id });
    whereFiltered(rows, query, FILTERED);
    const { skip, take } = readPage(query);
    const [found, total] = await rows.orderBy('grp.id').skip(skip).take(take).getManyAndCount();
    const { manager } = this.groups;
    if (!withMembers(query)) {
      return listResponse(
        found.map((group) => toGroupResource(group)),
        total,
        skip,
      );
    }
    const groups = await limitByMembers(manager, found);
    const members = await findMembers(
      manager,
      groups.map(({ id }) => id),
    );
    return listResponse(
      groups.map((group) => toGroupResource(group, members.get(group.id) ?? [])),
      total,
      skip,
    );
  }

  async get(account: DashboardUser, id: string, query: Resource): Promise<Resource> {
    return this.read(account, id, query);
  }

  async create(account: DashboardUser, body: Resource, query: Resource): Promise<Resource> {
    const created = await this.directory.change(account, async (manager) => {
      const fields = readFields(body);
      await requireFree(manager, account, fields.principal);
      const id = newId('grp');
      const now = new Date();
      const times = { createdAt: now, updatedAt: now };
      await manager.insert(DirectoryGroup, {
        ...{ id, serviceAccountId: account.id },
        ...fields,
        ...times,
      });
      await this.quota.require(manager, account, 'MAX_DIRECTORY_GROUPS');
      await this.apply(manager, account, id, [{ kind: 'add', ids: memberIds(body['members']) }]);
      return id;
    });
    return this.read(account, created, query);
  }

  async replace(
    account: DashboardUser,
    id: string,
    body: Resource,
    query: Resource,
  ): Promise<Resource> {
    const members = [{ kind: 'replace', ids: memberIds(body['members']) } as const];
    await this.change(account, id, () => ({ resource: body, members }));
    return this.read(account, id, query);
  }

  async patch(
    account: DashboardUser,
    id: string,
    body: Resource,
    query: Resource,
  ): Promise<Resource> {
    await this.change(account, id, ({ displayName, externalId }) =>
      applyPatch(GROUP, { id, displayName, externalId }, body),
    );
    return this.read(account, id, query);
  }

  async delete(account: DashboardUser, id: string): Promise<void> {
    await this.directory.change(account, async (manager) => {
      const own = { id, serviceAccountId: account.id };
      const { affected } = await manager.delete(DirectoryGroup, own);
      if (affected !== 1) throw new Problem('not_found');
    });
  }

  private change(
    account: DashboardUser,
    id: string,
    next: (group: DirectoryGroup) => { resource: Resource; members: readonly MembersChange[] },
  ): Promise<void> {
    return this.directory.change(account, async (manager) => {
      const { resource, members } = next(await findGroup(manager, account, id));
      const fields = readFields(resource);
      await requireFree(manager, account, fields.principal, id);
      await manager.update(DirectoryGroup, { id }, { ...fields, updatedAt: new Date() });
      await this.apply(manager, account, id, members);
    });
  }

  /** Runs outside of the change, which locks knowledge bases, because a group may have many members. */
  private async read(account: DashboardUser, id: string, query: Resource): Promise<Resource> {
    const { manager } = this.groups;
    const group = await findGroup(manager, account, id);
    const members = withMembers(query) ? await findMembers(manager, [id]) : undefined;
    return toGroupResource(group, members && (members.get(id) ?? []));
  }

  private async apply(
    manager: EntityManager,
    account: DashboardUser,
    id: string,
    changes: readonly MembersChange[],
  ): Promise<void> {
    let more = 0;
    for (const change of changes) more += await applyOne(manager, account, id, change);
    if (more > 0) await this.quota.require(manager, account, 'MAX_DIRECTORY_MEMBERSHIPS');
  }
}

function readFields(body: Resource) {
  const displayName = textField(body, 'displayName');
  const externalId = optionalText(body, 'externalId');
  return { displayName, externalId, principal: groupPrincipal(displayName) };
}

const withMembers = (query: Resource) => hasAttribute('members', query);

async function findGroup(
  manager: EntityManager,
  { id: serviceAccountId }: DashboardUser,
  id: string,
): Promise<DirectoryGroup> {
  const group = await manager.findOneBy(DirectoryGroup, { id, serviceAccountId });
  if (!group) throw new Problem('not_found');
  return group;
}

/** @returns the first groups that have at most `MAX_LISTED_MEMBERS` together; at least one */
async function limitByMembers(
  manager: EntityManager,
  groups: readonly DirectoryGroup[],
): Promise<readonly DirectoryGroup[]> {
  const rows = await manager
    .createQueryBuilder(DirectoryMembership, 'membership')
    .select('membership.groupId', 'groupId')
    .addSelect('COUNT(*)', 'count')
    .where({ groupId: In(groups.map(({ id }) => id)) })
    .groupBy('membership.groupId')
    .getRawMany<{ groupId: string; count: number | string }>();
  const counts = new Map(rows.map(({ groupId, count }) => [groupId, Number(count)]));
  let members = 0;
  const end = groups.findIndex(({ id }, index) => {
    members += counts.get(id) ?? 0;
    return index > 0 && members > MAX_LISTED_MEMBERS;
  });
  return end === -1 ? groups : groups.slice(0, end);
}

/** Finds members by group as raw rows, because entities take several times as long. */
async function findMembers(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Map<string, GroupMember[]>> {
  const rows = await manager
    .createQueryBuilder(DirectoryMembership, 'membership')
    .innerJoin('membership.user', 'person')
    .select('membership.groupId', 'groupId')
    .addSelect('membership.userId', 'userId')
    .addSelect('person.userName', 'userName')
    .where({ groupId: In([...ids]) })
    .orderBy('membership.userId')
    .getRawMany<GroupMember & { groupId: string }>();
  return Map.groupBy(rows, ({ groupId }) => groupId);
}

async function requireFree(
  manager: EntityManager,
  { id: serviceAccountId }: DashboardUser,
  principal: string,
  id = '',
): Promise<void> {
  if (await manager.existsBy(DirectoryGroup, { serviceAccountId, principal, id: Not(id) })) {
    const detail = 'Another group in the directory already has this displayName.';
    throw new Problem('validation_failed', { status: 409, detail });
  }
}

/** @returns by how many members the group grew */
async function applyOne(
  manager: EntityManager,
  { id: serviceAccountId }: DashboardUser,
  groupId: string,
  { kind, ids, replaced }: MembersChange,
): Promise<number> {
  let more = 0;
  const remove = async (users: object) => {
    const { affected } = await manager.delete(DirectoryMembership, { groupId, ...users });
    more -= affected ?? 0;
    return affected;
  };
  if (replaced !== undefined) {
    if ((await remove({ userId: replaced })) !== 1) {
      throw noTarget('The group does not have the member that is to be replaced.');
    }
  } else if (kind === 'replace' || ids === 'all') await remove({});
  if (ids === 'all') return more;
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    if (kind === 'remove') {
      await remove({ userId: In(batch) });
      continue;
    }
    const known = { serviceAccountId, id: In(batch), removedAt: IsNull() };
    if ((await manager.countBy(DirectoryUser, known)) < batch.length) {
      throw invalid('members must be users of the directory.');
    }
    const there = await manager.countBy(DirectoryMembership, { groupId, userId: In(batch) });
    more += batch.length - there;
    await manager
      .createQueryBuilder()
      .insert()
      .into(DirectoryMembership)
      .values(batch.map((userId) => ({ groupId, userId })))
      .orIgnore()
      .execute();
  }
  return more;
}
