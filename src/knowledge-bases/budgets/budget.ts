import type { ModelPrice } from '../../platform/config/model-prices.js';

export const BUDGET_UNITS = ['messages', 'tokens', 'cost'] as const;
export type BudgetUnit = (typeof BUDGET_UNITS)[number];

export const BUDGET_PERIODS = ['day', 'month'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** How much a key or an end user may use in each period, in one unit. */
export interface Budget {
  readonly messages?: number;
  readonly tokens?: number;
  /** The amount in the currency of the operator's prices. */
  readonly cost?: number;
  readonly period: BudgetPeriod;
  /** The share at which usage is announced, besides the whole. */
  readonly soft?: number | null;
}

/** Money is counted in billionths, because a token of a model can cost that little. */
export const BILLION = 1_000_000_000;

/** The amounts that a message uses, in whole numbers. */
export interface Amounts {
  readonly messages: number;
  readonly tokens: number;
  /** The cost in billionths. */
  readonly cost: number;
}

/** Calculates the cost of a model's answer, in billionths. A model without a price costs nothing. */
export const calculateCost = (
  price: ModelPrice | undefined,
  { promptTokens, completionTokens }: { promptTokens: number; completionTokens: number },
): number =>
  price
    ? Math.round(
        (BILLION / 1_000_000) * (promptTokens * price.input + completionTokens * price.output),
      )
    : 0;

/** The unit and the limit of a budget, in the units of Amounts. */
export function getLimit(budget: Budget): { unit: BudgetUnit; limit: number } {
  const unit = BUDGET_UNITS.find((name) => budget[name] !== undefined) ?? 'messages';
  const limit = budget[unit] ?? 0;
  return { unit, limit: unit === 'cost' ? Math.round(limit * BILLION) : limit };
}

/** The share of a budget that is reached and announced: the whole, its soft limit, or 0 for neither. */
export function reachedShare(budget: Budget, spent: number): number {
  const { limit } = getLimit(budget);
  const soft = budget.soft ?? 1;
  if (spent >= limit) return 1;
  return spent >= soft * limit ? soft : 0;
}

/** The first day of a period, such as `2026-11-01`. Days and months are those of UTC. */
export const periodStart = (period: BudgetPeriod, now: Date): string =>
  period === 'day' ? now.toISOString().slice(0, 10) : `${now.toISOString().slice(0, 7)}-01`;

export const periodEnd = (period: BudgetPeriod, now: Date): Date =>
  period === 'day'
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
    : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));

/** Whether the count of one budget is valid for the other one too. */
export const countsAlike = (a: Budget | null | undefined, b: Budget | null | undefined): boolean =>
  a && b ? a.period === b.period && getLimit(a).unit === getLimit(b).unit : false;
