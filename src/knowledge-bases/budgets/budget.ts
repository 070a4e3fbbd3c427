import type { ModelPrice } from '../../platform/config/model-prices.js';

export const BUDGET_UNITS = ['messages', 'tokens', 'cost'] as const;
export type BudgetUnit = (typeof BUDGET_UNITS)[number];

export const BUDGET_PERIODS = ['day', 'month'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** How much a key, or an end user, may use in each period; of one unit. */
export interface Budget {
  readonly messages?: number;
  readonly tokens?: number;
  /** In the currency of the operator's prices. */
  readonly cost?: number;
  readonly period: BudgetPeriod;
  /** The share of it that is announced when it is used up, beside the whole. */
  readonly soft?: number | null;
}

/** Money is counted in billionths: a token of a model may cost that little. */
export const BILLION = 1_000_000_000;

/** What a message uses, in whole numbers. */
export interface Amounts {
  readonly messages: number;
  readonly tokens: number;
  /** In billionths. */
  readonly cost: number;
}

/** What an answer of a model costs, in billionths. A model without a price costs nothing. */
export const calculateCost = (
  price: ModelPrice | undefined,
  { promptTokens, completionTokens }: { promptTokens: number; completionTokens: number },
): number =>
  price
    ? Math.round(
        (BILLION / 1_000_000) * (promptTokens * price.input + completionTokens * price.output),
      )
    : 0;

/** What a budget limits, and to how much, in the units of Amounts. */
export function getLimit(budget: Budget): { unit: BudgetUnit; limit: number } {
  const unit = BUDGET_UNITS.find((name) => budget[name] !== undefined) ?? 'messages';
  const limit = budget[unit] ?? 0;
  return { unit, limit: unit === 'cost' ? Math.round(limit * BILLION) : limit };
}

/** The share of a budget that is used up and announced: the whole, its soft limit, or 0 for neither. */
export function reachedShare(budget: Budget, spent: number): number {
  const { limit } = getLimit(budget);
  const soft = budget.soft ?? 1;
  if (spent >= limit) return 1;
  return spent >= soft * limit ? soft : 0;
}

/** The day that a period begins on, such as `2026-11-01`; days and months are those of UTC. */
export const periodStart = (period: BudgetPeriod, now: Date): string =>
  period === 'day' ? now.toISOString().slice(0, 10) : `${now.toISOString().slice(0, 7)}-01`;

export const periodEnd = (period: BudgetPeriod, now: Date): Date =>
  period === 'day'
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
    : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));

/** Whether what was counted for one budget counts for the other one too. */
export const countsAlike = (a: Budget | null | undefined, b: Budget | null | undefined): boolean =>
  a && b ? a.period === b.period && getLimit(a).unit === getLimit(b).unit : false;
