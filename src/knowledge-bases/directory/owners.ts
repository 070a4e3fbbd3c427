import { type EntityManager, Like, Not, type SelectQueryBuilder } from 'typeorm';
import { GROUP_PREFIX } from '../dashboard-auth/user-groups.js';
import { KnowledgeBaseMember } from '../knowledge-base-member.entity.js';
import { hasLeft } from './memberships.js';

/**
 * Selects the persons `owner` who own a knowledge base and are not deprovisioned. Groups do not count,
 * because the identity provider can empty them, nor do service accounts, of which nobody would be in
 * charge.
 */
export const selectOwners = (
  manager: EntityManager,
  kbId: string,
): SelectQueryBuilder<KnowledgeBaseMember> =>
  manager
    .createQueryBuilder(KnowledgeBaseMember, 'owner')
    .where({ kbId, role: 'owner', userId: Not(Like(`${GROUP_PREFIX}%`)) })
    .andWhere('NOT EXISTS (SELECT 1 FROM service_accounts sa WHERE sa.id = owner.user_id)')
    .andWhere(`NOT ${hasLeft('owner.user_id', 'owner.kb_id')}`);
