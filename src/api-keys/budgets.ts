import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { endUserNumber } from '../usage/end-user-number.js';
import { usedByEndUserSince, usedByKeysSince } from '../usage/used-since.js';
import {
  type Amounts,
  BILLION,
  type Budget,
  countsAlike,
  getLimit,
  periodEnd,
} from '../knowledge-bases/budgets/budget.js';
import {
  readRemainingBudget,
  endUserSubject,
  forgetBudgetCounts,
  type Hold,
  holdBudget,
  type OwnedBudget,
  restateBudget,
  settleBudget,
} from '../knowledge-bases/budgets/budget-counts.js';
import type { Settings } from '../knowledge-bases/settings/settings.js';
import { Events } from '../knowledge-bases/events/events.js';
import { Config } from '../platform/config/config.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import type { ApiKey } from './api-key.entity.js';

/** The time that recording an answer may take after the model's time limit. */
const RECORDING_MS = 60_000;

/** A knowledge base in which an answer counts. */
export interface CountingKnowledgeBase {
  readonly kbId: string;
  readonly settings: Pick<Settings, 'budgetPerEndUser' | 'dailyMessageLimit'>;
}

interface BudgetedAnswer {
  readonly apiKey: ApiKeyPrincipal;
  readonly endUserId: string | null;
  readonly counting: readonly CountingKnowledgeBase[];
}

/** The budgets of keys and of their end users. They are counted in the transactions of messages. */
@Injectable()
export class Budgets {
  /** See BudgetCount. */
  private readonly windowMs: number;

  constructor(
    config: Config,
    private readonly events: Events,
  ) {
    this.windowMs = config.wholeAnswerMs + RECORDING_MS;
  }

  /**
   * Reserves the most that an answer may use: of the key's budget, and of the end user's budget in each
   * knowledge base.
   *
   * @param counting the knowledge bases in which the answer counts, in the order of their ids
   * @throws BudgetReachedProblem `budget_reached`
   */
  async hold(
    manager: EntityManager,
    { apiKey, endUserId, counting }: BudgetedAnswer,
    amounts: Amounts,
  ): Promise<Hold[]> {
    const holds: Hold[] = [];
    for (const owned of listBudgets(apiKey, endUserId, counting)) {
      holds.push(await holdBudget(manager, owned, amounts, this.windowMs));
    }
    return holds;
  }

  /**
   * Counts what an answer has used, and records an event when a key's budget is reached.
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

  /** What remains of a key's budget in this period. It reserves nothing. */
  remainingForKey(
    manager: EntityManager,
    key: Pick<ApiKeyPrincipal, 'kbId' | 'rotationRoot'>,
    budget: Budget,
  ): Promise<Budget> {
    return readRemainingBudget(manager, toKeyBudget(key, budget), this.windowMs);
  }

  /** What remains of an end user's budget in this period. It reserves nothing. */
  remainingForEndUser(
    manager: EntityManager,
    kbId: string,
    endUserId: string,
    budget: Budget,
  ): Promise<Budget> {
    return readRemainingBudget(manager, toEndUserBudget(kbId, endUserId, budget), this.windowMs);
  }

  /**
   * Replaces the budget of a key and its successors, and records an event if the earlier usage already
   * reaches it.
   */
  async change(
    manager: EntityManager,
    key: NotifiedKey & Pick<ApiKeyPrincipal, 'rotationRoot' | 'budget'>,
    budget: Budget,
  ): Promise<void> {
    const { kbId, rotationRoot } = key;
    // Earlier usage in another unit or period is counted again from the records of usage.
    if (!countsAlike(budget, key.budget)) await forgetBudgetCounts(manager, kbId, rotationRoot);
    const owned = toKeyBudget(key, budget);
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
    const data = {
      api_key_id: id,
      environment,
      unit,
      period,
      share,
      limit: shown(getLimit(budget).limit),
      used: shown(spent),
      resets_at: periodEnd(period, new Date(`${start}T00:00:00Z`)).toISOString(),
    };
    return this.events.record(manager, {
      ...{ kbId, action: 'api_key.budget_reached', data },
    });
  }
}

type NotifiedKey = Pick<ApiKeyPrincipal, 'id' | 'kbId'> & Pick<ApiKey, 'environment'>;

/** The budgets are sorted by knowledge base, so that parallel transactions cannot deadlock. */
const listBudgets = (
  apiKey: ApiKeyPrincipal,
  endUserId: string | null,
  counting: readonly CountingKnowledgeBase[],
): OwnedBudget[] =>
  counting.flatMap(({ kbId, settings: { budgetPerEndUser } }) => [
    ...(apiKey.budget && kbId === apiKey.kbId ? [toKeyBudget(apiKey, apiKey.budget)] : []),
    ...(budgetPerEndUser && endUserId !== null
      ? [toEndUserBudget(kbId, endUserId, budgetPerEndUser)]
      : []),
  ]);

function toKeyBudget(
  { kbId, rotationRoot }: Pick<ApiKeyPrincipal, 'kbId' | 'rotationRoot'>,
  budget: Budget,
): OwnedBudget {
  const usedSince = (manager: EntityManager, start: Date) =>
    usedByKeysSince(manager, kbId, rotationRoot, start);
  return { kbId, subject: rotationRoot, budget, usedSince };
}

function toEndUserBudget(kbId: string, endUserId: string, budget: Budget): OwnedBudget {
  const number = endUserNumber(kbId, endUserId);
  const usedSince = (manager: EntityManager, start: Date) =>
    usedByEndUserSince(manager, kbId, number, start);
  return { kbId, subject: endUserSubject(number), budget, usedSince };
}
