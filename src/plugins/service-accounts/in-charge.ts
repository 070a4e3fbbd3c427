import { hasLeft } from '../../knowledge-bases/directory/memberships.js';

/** SQL: the memberships `account` of the service account `id` in knowledge bases that exist. */
export const sqlMemberships = (id: string) =>
  `FROM knowledge_base_members account
   JOIN knowledge_bases kb ON kb.id = account.kb_id AND kb.state = 'active'
   WHERE account.user_id = ${id}`;

/**
 * SQL: whether the user `:userId`, whose id and groups are `:memberIds`, owns the knowledge base of
 * `account`.
 */
const isOwned = `(EXISTS (SELECT 1 FROM knowledge_base_members mine
  WHERE mine.kb_id = account.kb_id AND mine.user_id IN (:...memberIds) AND mine.role = 'owner')
  AND NOT ${hasLeft(':userId', 'account.kb_id')})`;

/**
 * SQL: whether the user `:userId`, whose id and groups are `:memberIds`, is in charge of the service account:
 * they own all of its knowledge bases, or created it if it has none.
 */
export const isInCharge = (account: string) =>
  `CASE WHEN EXISTS (SELECT 1 ${sqlMemberships(`${account}.id`)})
    THEN NOT EXISTS (SELECT 1 ${sqlMemberships(`${account}.id`)} AND NOT ${isOwned})
    ELSE LOWER(${account}.created_by) IN (:...memberIds) END`;

/** SQL: the ids of the service accounts that the user is in charge of, with the same parameters. */
export const ACCOUNTS_IN_CHARGE = `SELECT sa.id FROM service_accounts sa
  WHERE (LOWER(sa.created_by) IN (:...memberIds) OR sa.id IN (
    SELECT account.user_id FROM knowledge_base_members mine
    JOIN knowledge_base_members account ON account.kb_id = mine.kb_id
    WHERE mine.user_id IN (:...memberIds) AND mine.role = 'owner'))
  AND ${isInCharge('sa')}`;
