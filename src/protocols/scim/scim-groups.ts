import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, Not, Repository } from 'typeorm';
import { groupPrincipal } from '../../knowledge-bases/access-rules/principals.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Directory } from '../../knowledge-bases/directory/directory.js';
import { DirectoryGroup } from '../../knowledge-bases/directory/directory-group.entity.js';
import { DirectoryMembership } from '../../knowledge-bases/directory/directory-membership.entity.js';
import { DirectoryUser } from '../../knowledge-bases/directory/directory-user.entity.js';
import { newId } from '../../platform/http/type-id.js';
import { Problem } from '../../platform/problems/problem.js';
import { countOf, DirectoryQuota } from './directory-quota.js';
import { NoTarget } from './scim-error.js';
import {
  invalid,
  memberIds,
  optionalText,
  pageOf,
  type Resource,
  textField,
} from './scim-fields.js';
import { applyPatch, type MembersChange } from './scim-patch.js';
import { whereFiltered } from './where-filtered.js';
import { listResponse, toGroupResource } from './scim-resources.js';

const FILTERED: Record<string, (value: string) => string> = {
  displayName: (value) => `grp.displayName = ${value}`,
  externalId: (value) => `grp.externalId = ${value}`,
  id: (value) => `grp.id = ${value}`,
  members: (value) => `EXISTS (SELECT 1 FROM directory_memberships one
    WHERE one.group_id = grp.id AND one.user_id = ${value})`,
};
/** Of one statement: engines limit their parameters. */
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
    const { skip, take } = pageOf(query);
    const [groups, total] = await rows.orderBy('grp.id').skip(skip).take(take).getManyAndCount();
    const { manager } = this.groups;
    const members = withMembers(query)
      ? await membersOf(
          manager,
          groups.map(({ id }) => id),
        )
      : undefined;
    return listResponse(
      groups.map((group) => toGroupResource(group, members)),
      total,
      skip,
    );
  }

  async get(account: DashboardUser, id: string, query: Resource): Promise<Resource> {
    return read(this.groups.manager, account, id, withMembers(query));
  }

  async create(account: DashboardUser, body: Resource): Promise<Resource> {
    return this.directory.change(account, async (manager) => {
      const fields = fieldsOf(body);
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
      return read(manager, account, id, true);
    });
  }

  async replace(account: DashboardUser, id: string, body: Resource): Promise<Resource> {
    const members = [{ kind: 'replace', ids: memberIds(body['members']) } as const];
    return this.change(account, id, () => ({ resource: body, members }));
  }

  async patch(account: DashboardUser, id: string, body: Resource): Promise<Resource> {
    return this.change(account, id, ({ displayName, externalId }) =>
      applyPatch({ displayName, externalId }, body),
    );
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
  ): Promise<Resource> {
    return this.directory.change(account, async (manager) => {
      const { resource, members } = next(await find(manager, account, id));
      const fields = fieldsOf(resource);
      await requireFree(manager, account, fields.principal, id);
      await manager.update(DirectoryGroup, { id }, { ...fields, updatedAt: new Date() });
      await this.apply(manager, account, id, members);
      return read(manager, account, id, true);
    });
  }

  private async apply(
    manager: EntityManager,
    account: DashboardUser,
    id: string,
    changes: readonly MembersChange[],
  ): Promise<void> {
    const quota = 'MAX_DIRECTORY_MEMBERSHIPS';
    const isMore = changes.some(({ kind, ids }) => kind !== 'remove' && ids.length > 0);
    const before = isMore ? await countOf(manager, account.id, quota) : 0;
    for (const change of changes) await applyOne(manager, account, id, change);
    if (isMore) await this.quota.require(manager, account, quota, before);
  }
}

function fieldsOf(body: Resource) {
  const displayName = textField(body, 'displayName');
  const externalId = optionalText(body, 'externalId');
  return { displayName, externalId, principal: groupPrincipal(displayName) };
}

const withMembers = ({ excludedAttributes: excluded }: Resource) =>
  !(typeof excluded === 'string' && excluded.split(',').includes('members'));

async function find(
  manager: EntityManager,
  { id: serviceAccountId }: DashboardUser,
  id: string,
): Promise<DirectoryGroup> {
  const group = await manager.findOneBy(DirectoryGroup, { id, serviceAccountId });
  if (!group) throw new Problem('not_found');
  return group;
}

async function read(
  manager: EntityManager,
  account: DashboardUser,
  id: string,
  isWhole: boolean,
): Promise<Resource> {
  const group = await find(manager, account, id);
  return toGroupResource(group, isWhole ? await membersOf(manager, [id]) : undefined);
}

const membersOf = (manager: EntityManager, ids: readonly string[]) =>
  manager.find(DirectoryMembership, {
    where: { groupId: In([...ids]) },
    relations: { user: true },
    order: { userId: 'ASC' },
  });

async function requireFree(
  manager: EntityManager,
  { id: serviceAccountId }: DashboardUser,
  principal: string,
  id = '',
): Promise<void> {
  if (await manager.existsBy(DirectoryGroup, { serviceAccountId, principal, id: Not(id) })) {
    const detail = 'Another group of the directory has this displayName.';
    throw new Problem('validation_failed', { status: 409, detail });
  }
}

async function applyOne(
  manager: EntityManager,
  { id: serviceAccountId }: DashboardUser,
  groupId: string,
  { kind, ids, replaced }: MembersChange,
): Promise<void> {
  if (replaced !== undefined) {
    const { affected } = await manager.delete(DirectoryMembership, { groupId, userId: replaced });
    if (affected !== 1)
      throw new NoTarget('The group does not have the member that is to be replaced.');
  } else if (kind === 'replace' || ids === 'all') {
    await manager.delete(DirectoryMembership, { groupId });
  }
  if (ids === 'all') return;
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    if (kind === 'remove') {
      await manager.delete(DirectoryMembership, { groupId, userId: In(batch) });
      continue;
    }
    const known = { serviceAccountId, id: In(batch), removedAt: IsNull() };
    if ((await manager.countBy(DirectoryUser, known)) < batch.length) {
      throw invalid('members must be users of the directory.');
    }
    await manager
      .createQueryBuilder()
      .insert()
      .into(DirectoryMembership)
      .values(batch.map((userId) => ({ groupId, userId })))
      .orIgnore()
      .execute();
  }
}
