import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { endUserNumber } from '../activity/usage/end-user-number.js';
import { usedByEndUserSince, usedByKeysSince } from '../activity/usage/used-since.js';
import { WebhookOutbox } from '../activity/webhooks/webhook-outbox.js';
import {
  type Amounts,
  BILLION,
  type Budget,
  countsAlike,
  limitOf,
  periodEnd,
} from '../knowledge-bases/budgets/budget.js';
import {
  budgetLeft,
  endUserSubject,
  forgetBudgetCounts,
  type Hold,
  holdBudget,
  type OwnedBudget,
  restateBudget,
  settleBudget,
} from '../knowledge-bases/budgets/budget-counts.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import type { ApiKey } from './api-key.entity.js';

/** The budgets of keys and of their end users. Counts are changed in the transactions of messages. */
@Injectable()
export class Budgets {
  constructor(private readonly outbox: WebhookOutbox) {}

  /**
   * Holds what an answer may use at most.
   *
   * @param holdMs how long the answer may be written
   * @throws Problem `budget_reached`
   */
  async hold(
    manager: EntityManager,
    apiKey: ApiKeyPrincipal,
    endUserId: string | null,
    amounts: Amounts,
    holdMs: number,
  ): Promise<Hold[]> {
    const holds: Hold[] = [];
    for (const owned of budgetsOf(manager, apiKey, endUserId)) {
      holds.push(await holdBudget(manager, owned, amounts, holdMs));
    }
    return holds;
  }

  /**
   * Counts what an answer has used, and notifies webhooks where a key's budget is reached.
   *
   * @param amounts undefined for an answer that does not count
   */
  async settle(
    manager: EntityManager,
    apiKey: ApiKeyPrincipal,
    holds: readonly Hold[],
    amounts: Amounts | undefined,
  ): Promise<void> {
    for (const hold of holds) {
      const { spent, share } = await settleBudget(manager, hold, amounts);
      if (share !== undefined && hold.owned.subject === apiKey.rotationRoot) {
        await this.notify(manager, apiKey, hold, { spent, share });
      }
    }
  }

  /** What is left of a key's budget in this period, as a budget; holds nothing. */
  leftOfKey(
    manager: EntityManager,
    key: Pick<ApiKeyPrincipal, 'kbId' | 'rotationRoot'>,
    budget: Budget,
  ): Promise<Budget> {
    return budgetLeft(manager, ofKey(manager, key, budget));
  }

  /** The same of an end user's. */
  leftOfEndUser(
    manager: EntityManager,
    kbId: string,
    endUserId: string,
    budget: Budget,
  ): Promise<Budget> {
    return budgetLeft(manager, ofEndUser(manager, kbId, endUserId, budget));
  }

  /**
   * Goes on with another budget of a key and its successors, and notifies webhooks where it is reached by
   * what was used before.
   */
  async change(
    manager: EntityManager,
    key: NotifiedKey & Pick<ApiKeyPrincipal, 'rotationRoot' | 'budget'>,
    budget: Budget,
  ): Promise<void> {
    const { kbId, rotationRoot } = key;
    // What was used before, or in another unit, is counted anew from the records of usage.
    if (!countsAlike(budget, key.budget)) await forgetBudgetCounts(manager, kbId, rotationRoot);
    const owned = ofKey(manager, key, budget);
    const { row, spent, share } = await restateBudget(manager, owned);
    if (share !== undefined) await this.notify(manager, key, { owned, row }, { spent, share });
  }

  private notify(
    manager: EntityManager,
    { id, kbId, environment }: NotifiedKey,
    { owned: { budget }, row: { unit, period, start } }: Pick<Hold, 'owned' | 'row'>,
    { spent, share }: { readonly spent: number; readonly share: number },
  ): Promise<void> {
    const shown = (amount: number) => (unit === 'cost' ? amount / BILLION : amount);
    return this.outbox.record(manager, kbId, 'api_key.budget_reached', {
      api_key_id: id,
      environment,
      unit,
      period,
      share,
      limit: shown(limitOf(budget).limit),
      used: shown(spent),
      resets_at: periodEnd(period, new Date(`${start}T00:00:00Z`)).toISOString(),
    });
  }
}

type NotifiedKey = Pick<ApiKeyPrincipal, 'id' | 'kbId'> & Pick<ApiKey, 'environment'>;

/** In one order, so that parallel transactions cannot deadlock. */
function budgetsOf(
  manager: EntityManager,
  apiKey: ApiKeyPrincipal,
  endUserId: string | null,
): OwnedBudget[] {
  const { kbId, budget } = apiKey;
  const { budgetPerEndUser } = apiKey.settings;
  const budgets: OwnedBudget[] = [];
  if (budget) budgets.push(ofKey(manager, apiKey, budget));
  if (budgetPerEndUser && endUserId !== null) {
    budgets.push(ofEndUser(manager, kbId, endUserId, budgetPerEndUser));
  }
  return budgets;
}

function ofKey(
  manager: EntityManager,
  { kbId, rotationRoot }: Pick<ApiKeyPrincipal, 'kbId' | 'rotationRoot'>,
  budget: Budget,
): OwnedBudget {
  const usedSince = (start: Date) => usedByKeysSince(manager, kbId, rotationRoot, start);
  return { kbId, subject: rotationRoot, budget, usedSince };
}

function ofEndUser(
  manager: EntityManager,
  kbId: string,
  endUserId: string,
  budget: Budget,
): OwnedBudget {
  const number = endUserNumber(kbId, endUserId);
  const usedSince = (start: Date) => usedByEndUserSince(manager, kbId, number, start);
  return { kbId, subject: endUserSubject(number), budget, usedSince };
}
