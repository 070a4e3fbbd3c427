import { type EntityManager, Like } from 'typeorm';
import { databaseNow } from '../../platform/database/database-now.js';
import { rowLock } from '../../platform/database/dialect.js';
import { insertRows } from '../../platform/database/insert-rows.js';
import { Problem } from '../../platform/problems/problem.js';
import {
  type Amounts,
  BILLION,
  type Budget,
  getLimit,
  periodEnd,
  periodStart,
  reachedShare,
} from './budget.js';
import { BudgetCount } from './budget-count.entity.js';

/** A budget, and whose it is. */
export interface OwnedBudget {
  readonly kbId: string;
  /** See BudgetCount. */
  readonly subject: string;
  readonly budget: Budget;
  /** What was used since the beginning of a period of which nothing is counted yet. */
  readonly usedSince: (manager: EntityManager, start: Date) => Promise<Amounts>;
}

/** What an answer holds of a budget while it is being written. */
export interface Hold {
  readonly owned: OwnedBudget;
  readonly row: Pick<BudgetCount, 'kbId' | 'subject' | 'unit' | 'period' | 'start'>;
  readonly amount: number;
  /** See BudgetCount. */
  readonly window: number;
}

/**
 * Holds what an answer may use, by one conditional update, so that with any number of processes no answer
 * begins when what is used and held reaches the budget.
 *
 * @param windowMs how long an answer may be written, the same for all
 * @throws Problem `budget_reached`
 */
export async function holdBudget(
  manager: EntityManager,
  owned: OwnedBudget,
  amounts: Amounts,
  windowMs: number,
): Promise<Hold> {
  const { budget } = owned;
  const { unit, limit } = getLimit(budget);
  const now = await databaseNow(manager);
  const row = toRowKey(owned, now);
  const amount = amounts[unit];
  const window = toWindow(now, windowMs);
  const update = () =>
    manager
      .createQueryBuilder()
      .update(BudgetCount)
      .set({
        held: () => `${HELD_NOW} + :amount`,
        heldBefore: () => HELD_BEFORE,
        heldWindow: window,
      })
      .where(row)
      .andWhere(`spent + ${HELD_NOW} + ${HELD_BEFORE} < :limit`)
      .setParameters({ window, amount, limit })
      .execute();
  if ((await update()).affected === 1) return { owned, row, amount, window };
  // The first message of a period, or beside one that was the first a moment ago.
  await countUsed(manager, owned, row);
  if ((await update()).affected === 1) return { owned, row, amount, window };
  throw await toBudgetReachedProblem(manager, owned, row, now);
}

/** `budget_reached`, and which budget it is. */
export class BudgetReachedProblem extends Problem {
  constructor(
    readonly owned: OwnedBudget,
    readonly row: Hold['row'],
    waitMs: number,
  ) {
    const { unit, period } = row;
    super('budget_reached', {
      extensions: { unit, period },
      headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
    });
  }
}

/**
 * Keeps the count of a budget that was used up before its first count, which is undone with the refused
 * question: else each further one would add up the whole period again.
 */
export const keepCount = (
  manager: EntityManager,
  { owned, row }: BudgetReachedProblem,
): Promise<void> => countUsed(manager, owned, row);

const toRowKey = ({ kbId, subject, budget }: OwnedBudget, now: Date): Hold['row'] => {
  const { period } = budget;
  return { kbId, subject, unit: getLimit(budget).unit, period, start: periodStart(period, now) };
};

/** Begins the count of a period, unless it is counted already. */
async function countUsed(
  manager: EntityManager,
  { usedSince }: OwnedBudget,
  row: Hold['row'],
): Promise<void> {
  if (await manager.existsBy(BudgetCount, row)) return;
  const used = await usedSince(manager, new Date(`${row.start}T00:00:00Z`));
  const first = {
    ...row,
    spent: used[row.unit],
    held: 0,
    heldBefore: 0,
    heldWindow: 0,
    announced: 0,
  };
  // Another transaction may have been first.
  await insertRows(manager, BudgetCount, [first], 'ON CONFLICT DO NOTHING');
}

const toWindow = (now: Date, windowMs: number) => Math.floor(now.getTime() / windowMs);

/** What answers that may still be running hold. */
function countHeld({ held, heldBefore, heldWindow }: BudgetCount, window: number): number {
  if (heldWindow === window) return held + heldBefore;
  return heldWindow === window - 1 ? held : 0;
}

/** In SQL: what is held by answers that began in this window. */
const HELD_NOW = 'CASE WHEN held_window = :window THEN held ELSE 0 END';
/** The same of the window before, of which some may still be running. */
const HELD_BEFORE =
  'CASE held_window WHEN :window THEN held_before WHEN :window - 1 THEN held ELSE 0 END';

/**
 * Counts what an answer has used in place of what it held.
 *
 * @param amounts undefined for an answer that does not count
 * @returns what is used in the period, and the share of the budget that is to be announced, if any
 */
export async function settleBudget(
  manager: EntityManager,
  { owned, row, amount, window }: Hold,
  amounts: Amounts | undefined,
): Promise<{ spent: number; share: number | undefined }> {
  await manager
    .createQueryBuilder()
    .update(BudgetCount)
    .set({
      spent: () => 'spent + :used',
      held: () => `held - ${sqlHeldIn('held', ':window')}`,
      heldBefore: () => `held_before - ${sqlHeldIn('held_before', ':window + 1')}`,
    })
    .where(row)
    .setParameters({ used: amounts?.[row.unit] ?? 0, amount, window })
    .execute();
  // Locked by this transaction now; it is gone where the budget was changed, or its end user erased.
  const stored = await manager.findOneBy(BudgetCount, row);
  if (!stored) return { spent: 0, share: undefined };
  const { spent, announced } = stored;
  const share = reachedShare(owned.budget, spent);
  if (share <= announced) return { spent, share: undefined };
  await manager.update(BudgetCount, row, { announced: share });
  return { spent, share };
}

/** In SQL: how much of what an answer holds is in the column, of which none is left where the row is a new one. */
const sqlHeldIn = (column: string, window: string) =>
  `CASE WHEN held_window <> ${window} THEN 0 WHEN ${column} > :amount THEN :amount ELSE ${column} END`;

/** What is neither used nor held in this period, as a budget; holds nothing. */
export async function readRemainingBudget(
  manager: EntityManager,
  { kbId, subject, budget, usedSince }: OwnedBudget,
  windowMs: number,
): Promise<Budget> {
  const { period } = budget;
  const { unit, limit } = getLimit(budget);
  const now = await databaseNow(manager);
  const start = periodStart(period, now);
  const row = await manager.findOneBy(BudgetCount, { kbId, subject, unit, period, start });
  const spent = row?.spent ?? (await usedSince(manager, new Date(`${start}T00:00:00Z`)))[unit];
  const left = Math.max(0, limit - spent - (row ? countHeld(row, toWindow(now, windowMs)) : 0));
  return { [unit]: unit === 'cost' ? left / BILLION : left, period };
}

/**
 * Counts what was used before a budget was set or changed, so that no refused question has to; and lets its
 * shares be announced by the new limit.
 *
 * @returns what is used in the period, and the share of the budget that is to be announced, if any
 */
export async function restateBudget(
  manager: EntityManager,
  owned: OwnedBudget,
): Promise<{ row: Hold['row']; spent: number; share: number | undefined }> {
  const row = toRowKey(owned, await databaseNow(manager));
  await countUsed(manager, owned, row);
  const lock = rowLock(manager.dataSource);
  const { spent, announced } = await manager.findOneOrFail(BudgetCount, { where: row, ...lock });
  const share = reachedShare(owned.budget, spent);
  await manager.update(BudgetCount, row, { announced: share });
  return { row, spent, share: share > 0 && share !== announced ? share : undefined };
}

const END_USER = 'user:';

/** The subject of an end user's budget; see endUserNumber(). */
export const endUserSubject = (number: string): string => `${END_USER}${number}`;

/** Forgets what is counted for the end users of a knowledge base; see forgetBudgetCounts(). */
export const forgetEndUserCounts = (manager: EntityManager, kbId: string): Promise<unknown> =>
  manager.delete(BudgetCount, { kbId, subject: Like(`${END_USER}%`) });

/** Forgets what is counted for a subject: its next message counts anew what was used. */
export const forgetBudgetCounts = (
  manager: EntityManager,
  kbId: string,
  subject: string,
): Promise<unknown> => manager.delete(BudgetCount, { kbId, subject });

/** Leaves what is counted for a key to the knowledge base that becomes its main one. */
export const moveBudgetCounts = (
  manager: EntityManager,
  subject: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<unknown> => manager.update(BudgetCount, { kbId: from, subject }, { kbId: to });

async function toBudgetReachedProblem(
  manager: EntityManager,
  owned: OwnedBudget,
  row: Hold['row'],
  now: Date,
): Promise<BudgetReachedProblem> {
  const { limit } = getLimit(owned.budget);
  const stored = await manager.findOneBy(BudgetCount, row);
  // What is only held may be free again in a moment.
  const isSpent = stored === null || stored.spent >= limit;
  const waitMs = isSpent ? periodEnd(row.period, now).getTime() - now.getTime() : 1000;
  return new BudgetReachedProblem(owned, row, waitMs);
}
