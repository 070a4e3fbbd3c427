import type { Principals } from '../access-rules/principals.js';

/**
 * The pushes of an identity provider count in the knowledge bases that its service account owns, whose
 * members it could change itself.
 */
const OWNED = `knowledge_base_members pushing ON pushing.role = 'owner' AND pushing.user_id =`;

/** SQL: whether the person was deprovisioned for the knowledge base. */
export const hasLeft = (userId: string, kbId: string) => `EXISTS (
  SELECT 1 FROM directory_users gone JOIN ${OWNED} gone.service_account_id
  WHERE gone.user_id = ${userId} AND NOT gone.active AND pushing.kb_id = ${kbId})`;

/** SQL: the groups `grp` that were pushed for the user `:userId` and that count. */
const PUSHED_GROUPS = `directory_users person
  JOIN directory_memberships pushed ON pushed.user_id = person.id
  JOIN directory_groups grp ON grp.id = pushed.group_id
  JOIN ${OWNED} grp.service_account_id
  WHERE person.user_id = :userId AND person.active`;

/** SQL: the pushed groups of the user `:userId`, by the knowledge base in which they count. */
export const SELECT_ALL_PUSHED_GROUPS = `SELECT DISTINCT pushing.kb_id AS "kbId", grp.principal AS principal
  FROM ${PUSHED_GROUPS}`;

export const SELECT_PUSHED_GROUPS = `SELECT grp.id FROM
  ${PUSHED_GROUPS} AND pushing.kb_id = :kbId`;

/**
 * SQL: whether `member` is a row of knowledge_base_members that makes the user `:userId` a member: their
 * own, one of `:memberIds`, or that of a pushed group.
 */
export const isMembership = (member: string) => `(${member}.id IN (
    SELECT own.id FROM knowledge_base_members own WHERE own.user_id IN (:...memberIds)
    UNION ALL
    SELECT via.id FROM knowledge_base_members via
    JOIN (SELECT pushing.kb_id AS kb_id, grp.principal AS principal FROM ${PUSHED_GROUPS}) named
      ON via.kb_id = named.kb_id AND via.user_id = named.principal)
  AND NOT ${hasLeft(':userId', `${member}.kb_id`)})`;

/** A person, with the groups that the identity provider names. */
interface PersonWithGroups {
  readonly id: string;
  readonly groups: Principals;
}

/** The ids under which a user can be a member: their own and those of their groups. */
export const listMemberIds = ({ id, groups }: PersonWithGroups): string[] => [id, ...groups];

/** The parameters of `isMembership`. */
export const toMembershipParameters = (user: PersonWithGroups) => ({
  userId: user.id,
  memberIds: listMemberIds(user),
});
