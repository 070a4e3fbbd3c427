import type { EntityManager } from 'typeorm';
import { newId } from '../platform/http/type-id.js';
import { ApiKeyGrant } from './api-key-grant.entity.js';
import { ApiKey } from './api-key.entity.js';
import type { Budgets } from './budgets.js';
import { toOwnerColumns } from './find-api-key.js';
import { CLIENT_TOKEN_SCOPES } from './scope.js';

/** A way to ask a knowledge base for which nobody holds a key, such as a website or a chat service. */
interface Door {
  readonly id: string;
  readonly kbId: string;
  readonly name: string;
  readonly createdBy: string;
}

interface DoorLimits {
  readonly messagesPerDay: number;
  readonly perEndUserAndMinute: number;
}

const MORE_THAN_ANY = 1_000_000_000;
const toBudget = (messages: number) => ({ messages, period: 'day' as const });

/**
 * Inserts the key that a door asks with, so that budgets, usage, limits and conversations are those of keys.
 *
 * @returns its id
 */
export async function insertKeyWithoutSecret(
  manager: EntityManager,
  { id: doorId, kbId, name, createdBy }: Door,
  { messagesPerDay, perEndUserAndMinute }: DoorLimits,
): Promise<string> {
  const id = newId('key');
  await manager.insert(ApiKey, {
    ...{ id, ...toOwnerColumns(kbId), rotationRoot: id, name, environment: 'live' },
    // No secret can have these values, so no request can use this key.
    ...{ prefix: doorId, fastHash: doorId, secretHash: '', pepperId: '' },
    ...{ state: 'active', createdAt: new Date(), createdBy },
    ...{ budget: toBudget(messagesPerDay), rateLimitPerEndUser: perEndUserAndMinute },
  });
  const scopes = [...CLIENT_TOKEN_SCOPES];
  await manager.insert(ApiKeyGrant, { keyId: id, position: 0, kbId, scopes });
  return id;
}

/** Changes the name and the limits of such a key; what is undefined stays. */
export async function changeKeyWithoutSecret(
  manager: EntityManager,
  budgets: Budgets,
  id: string,
  { name, messagesPerDay, perEndUserAndMinute }: Partial<DoorLimits & Pick<Door, 'name'>>,
): Promise<void> {
  const budget = messagesPerDay === undefined ? undefined : toBudget(messagesPerDay);
  const columns = { name, budget, rateLimitPerEndUser: perEndUserAndMinute };
  if (Object.values(columns).every((value) => value === undefined)) return;
  const key = await manager.findOneByOrFail(ApiKey, { id });
  await manager.update(ApiKey, { id }, columns);
  if (budget) await budgets.change(manager, { ...key, kbId: key.ownerId }, budget);
}

/** Counts the messages of today (UTC) that count towards the budget of such a key. */
export async function countMessagesOfToday(
  manager: EntityManager,
  budgets: Budgets,
  { ownerId: kbId, rotationRoot }: ApiKey,
): Promise<number> {
  // More than the budget, which may be less by now than what was used.
  const key = { kbId, rotationRoot };
  const left = await budgets.remainingForKey(manager, key, toBudget(MORE_THAN_ANY));
  return MORE_THAN_ANY - (left.messages ?? 0);
}
