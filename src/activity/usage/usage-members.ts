import type { EntityManager } from 'typeorm';
import { insertRows } from '../../platform/database/insert-rows.js';
import { mergeRows } from './merge-rows.js';
import { UsageMember } from './usage-member.entity.js';

export type MemberRow = Omit<UsageMember, 'knowledgeBase'>;

/** Adds to the requests of members, in one order, so that parallel transactions cannot deadlock. */
export async function countMembers(
  manager: EntityManager,
  rows: readonly MemberRow[],
): Promise<void> {
  const merged = mergeRows(rows, identityOf, (one, { requests }) => ({
    ...one,
    requests: one.requests + requests,
  }));
  await insertRows(manager, UsageMember, merged, ADD_REQUESTS);
}

const identityOf = ({ kbId, kind, quarter, environment, apiKeyId, member }: MemberRow) =>
  JSON.stringify([kbId, kind, quarter, environment, apiKeyId, member]);

const ADD_REQUESTS = `ON CONFLICT (kb_id, kind, quarter, environment, api_key_id, member)
  DO UPDATE SET requests = usage_members.requests + excluded.requests`;
