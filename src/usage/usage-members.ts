import type { EntityManager } from 'typeorm';
import { insertRows } from '../platform/database/insert-rows.js';
import { mergeRows } from './merge-rows.js';
import { UsageMember } from './usage-member.entity.js';

export type MemberRow = Omit<UsageMember, 'knowledgeBase'>;

/** The tokens and the cost of an answer. */
export type Cost = Pick<UsageMember, 'promptTokens' | 'completionTokens' | 'cost'>;

export const NO_COST: Cost = { promptTokens: 0, completionTokens: 0, cost: 0 };

/**
 * Adds to the requests and costs of members, in a fixed order, so that parallel transactions cannot
 * deadlock.
 */
export async function countMembers(
  manager: EntityManager,
  rows: readonly MemberRow[],
): Promise<void> {
  const merged = mergeRows(rows, toRowKey, (one, other) => ({
    ...one,
    requests: one.requests + other.requests,
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
    cost: one.cost + other.cost,
  }));
  await insertRows(manager, UsageMember, merged, ADD_REQUESTS);
}

const toRowKey = ({ kbId, kind, quarter, environment, apiKeyId, member }: MemberRow) =>
  JSON.stringify([kbId, kind, quarter, environment, apiKeyId, member]);

const ADD_REQUESTS = `ON CONFLICT (kb_id, kind, quarter, environment, api_key_id, member)
  DO UPDATE SET ${['requests', 'prompt_tokens', 'completion_tokens', 'cost']
    .map((name) => `${name} = usage_members.${name} + excluded.${name}`)
    .join()}`;
