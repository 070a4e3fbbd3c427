import { type EntityManager, In } from 'typeorm';
import { toComparableName } from '@latchkey/text/person-name';
import { lockRows } from '../../platform/database/dialect.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import {
  listMemberIds,
  toMembershipParameters,
} from '../../knowledge-bases/directory/memberships.js';
import {
  KnowledgeBaseMember,
  type MemberRole,
} from '../../knowledge-bases/knowledge-base-member.entity.js';
import { GROUP_PREFIX } from '../../knowledge-bases/dashboard-auth/user-groups.js';
import { isInCharge, sqlMemberships } from './in-charge.js';
import { ServiceAccount } from './service-account.entity.js';

/**
 * Finds the role of a user for a service account. The persons in charge are owners; a service account
 * itself may see, rotate and revoke the key that it uses.
 *
 * @param lock whether the memberships that the answer follows from are locked until the transaction ends
 * @returns none for users who are not in charge, who do not learn that it exists
 */
export async function findRolesInServiceAccount(
  manager: EntityManager,
  user: DashboardUser,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<{ readonly role: MemberRole }[]> {
  const { serviceAccount } = user;
  if (serviceAccount) {
    if (user.id !== id) return [];
    if (lock) await serviceAccount.confirm(manager);
    return [{ role: 'member' }];
  }
  if (lock) {
    const memberships = manager
      .createQueryBuilder(KnowledgeBaseMember, 'member')
      .where(`member.kb_id IN (SELECT account.kb_id ${sqlMemberships(':id')})`, { id })
      .andWhere({ userId: In(listMemberIds(user)) });
    await lockRows(memberships).orderBy('member.id').getMany();
  }
  const accounts = manager.createQueryBuilder(ServiceAccount, 'sa').where({ id });
  return (await accounts.andWhere(isInCharge('sa'), toMembershipParameters(user)).getExists())
    ? [{ role: 'owner' }]
    : [];
}

/**
 * Finds the persons and groups in charge of a service account, by the same rule.
 *
 * @returns nobody unless there is a person, since a group alone keeps no knowledge base
 */
export async function findPersonsInCharge(
  manager: EntityManager,
  { id, createdBy }: { readonly id: string; readonly createdBy: string },
): Promise<string[]> {
  const kbIds = await manager
    .createQueryBuilder(KnowledgeBaseMember, 'account')
    .innerJoin('account.knowledgeBase', 'kb', `kb.state = 'active'`)
    .where({ userId: id })
    .getMany();
  if (kbIds.length === 0) return [toComparableName(createdBy)];
  const rows = await manager
    .createQueryBuilder(KnowledgeBaseMember, 'member')
    .select('member.userId', 'userId')
    .where(
      `member.role = 'owner' AND member.kb_id IN (SELECT account.kb_id ${sqlMemberships(':id')})`,
      { id },
    )
    .andWhere('NOT EXISTS (SELECT 1 FROM service_accounts sa WHERE sa.id = member.user_id)')
    .groupBy('member.userId')
    .having('COUNT(*) = :count', { count: kbIds.length })
    .getRawMany<{ userId: string }>();
  const userIds = rows.map(({ userId }) => userId);
  return userIds.some((userId) => !userId.startsWith(GROUP_PREFIX)) ? userIds : [];
}

/** Finds the roles of service accounts in knowledge bases that exist. */
export const findRoles = (
  manager: EntityManager,
  ids: readonly string[],
): Promise<KnowledgeBaseMember[]> =>
  manager
    .createQueryBuilder(KnowledgeBaseMember, 'account')
    .innerJoin('account.knowledgeBase', 'kb', `kb.state = 'active'`)
    .where({ userId: In([...ids]) })
    .orderBy('account.kbId')
    .getMany();
