import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Budgets, type CountingKnowledgeBase } from '../../api-keys/budgets.js';
import type { Cost } from '../../usage/usage-members.js';
import { type Amounts, calculateCost } from '../../knowledge-bases/budgets/budget.js';
import type { Hold } from '../../knowledge-bases/budgets/budget-counts.js';
import { Config } from '../../platform/config/config.js';
import type { Exchange, Outcome, TokenUsage } from './exchange.js';

type Begun = Pick<Exchange, 'apiKey' | 'endUserId' | 'expected'>;

const NOTHING: Cost = { promptTokens: 0, completionTokens: 0, cost: 0 };

/** Calculates what answers cost by the operator's prices, and what they use of budgets. */
@Injectable()
export class ExchangeCosts {
  constructor(
    private readonly config: Config,
    private readonly budgets: Budgets,
  ) {}

  /** The cost of an answer, with all calls of the model. */
  calculateCost({ spent }: Pick<Outcome, 'spent'>): Cost {
    return spent ? this.price(spent.model, spent) : NOTHING;
  }

  /**
   * Reserves the most that an answer may use of the budgets of its key and end user.
   *
   * @param counting the knowledge bases in which it counts, in the order of their ids
   * @throws Problem `budget_reached`
   */
  hold(
    manager: EntityManager,
    { apiKey, endUserId, expected }: Begun,
    counting: readonly CountingKnowledgeBase[],
    model: string,
  ): Promise<Hold[]> {
    const cost = this.price(model, expected ?? { promptTokens: 0, completionTokens: 0 });
    const answer = { apiKey, endUserId, counting };
    return this.budgets.hold(manager, answer, toAmounts(cost));
  }

  /**
   * Counts what an answer has used, and releases what it reserved.
   *
   * @param counts false for a request that was rejected after it began
   */
  async settle(
    manager: EntityManager,
    exchange: Exchange,
    outcome: Outcome,
    counts = true,
  ): Promise<void> {
    const isCounted = counts && outcome.status !== 'failed';
    const amounts = isCounted ? toAmounts(this.calculateCost(outcome)) : undefined;
    await this.budgets.settle(manager, exchange.apiKey, exchange.holds, amounts);
  }

  private price(model: string, tokens: TokenUsage): Cost {
    const { promptTokens, completionTokens } = tokens;
    const cost = calculateCost(this.config.LLM_PRICES?.get(model), tokens);
    return { promptTokens, completionTokens, cost };
  }
}

const toAmounts = ({ promptTokens, completionTokens, cost }: Cost): Amounts => ({
  messages: 1,
  tokens: promptTokens + completionTokens,
  cost,
});
