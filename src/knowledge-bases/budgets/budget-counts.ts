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

/** A budget with its owner. */
export interface OwnedBudget {
  readonly kbId: string;
  /** See BudgetCount. */
  readonly subject: string;
  readonly budget: Budget;
  /** Reads what was used since the beginning of a period that has no count yet. */
  readonly usedSince: (manager: EntityManager, start: Date) => Promise<Amounts>;
}

/** What an answer reserves of a budget while it is being written. */
export interface Hold {
  readonly owned: OwnedBudget;
  readonly row: Pick<BudgetCount, 'kbId' | 'subject' | 'unit' | 'period' | 'start'>;
  readonly amount: number;
  /** See BudgetCount. */
  readonly window: number;
}

/**
 * Reserves the most that an answer may use, with one conditional update: whatever the number of processes,
 * no answer begins once the used and reserved amounts reach the budget.
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
  // It is the first message of a period, or another one was the first a moment ago.
  await countUsed(manager, owned, row);
  if ((await update()).affected === 1) return { owned, row, amount, window };
  throw await toBudgetReachedProblem(manager, owned, row, now);
}

/** A `budget_reached` that names the budget. */
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
 * Keeps the first count of a budget that turned out to be used up. It is rolled back with the refused
 * question; otherwise each further question would add up the whole period again.
 */
export const keepCount = (
  manager: EntityManager,
  { owned, row }: BudgetReachedProblem,
): Promise<void> => countUsed(manager, owned, row);

const toRowKey = ({ kbId, subject, budget }: OwnedBudget, now: Date): Hold['row'] => {
  const { period } = budget;
  return { kbId, subject, unit: getLimit(budget).unit, period, start: periodStart(period, now) };
};

/** Begins the count of a period, unless it exists. */
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
  // Another transaction may have been faster.
  await insertRows(manager, BudgetCount, [first], 'ON CONFLICT DO NOTHING');
}

const toWindow = (now: Date, windowMs: number) => Math.floor(now.getTime() / windowMs);

/** The amount reserved by answers that may still be running. */
function countHeld({ held, heldBefore, heldWindow }: BudgetCount, window: number): number {
  if (heldWindow === window) return held + heldBefore;
  return heldWindow === window - 1 ? held : 0;
}

/** SQL: the amount reserved by answers that began in this window. */
const HELD_NOW = 'CASE WHEN held_window = :window THEN held ELSE 0 END';
/** SQL: the amount reserved by answers of the window before, some of which may still be running. */
const HELD_BEFORE =
  'CASE held_window WHEN :window THEN held_before WHEN :window - 1 THEN held ELSE 0 END';

/**
 * Counts what an answer has used, and releases what it reserved.
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
  // This transaction has locked the row. It is missing if the budget was changed or its end user erased.
  const stored = await manager.findOneBy(BudgetCount, row);
  if (!stored) return { spent: 0, share: undefined };
  const { spent, announced } = stored;
  const share = reachedShare(owned.budget, spent);
  if (share <= announced) return { spent, share: undefined };
  await manager.update(BudgetCount, row, { announced: share });
  return { spent, share };
}

/** SQL: how much of an answer's reservation is in the column; nothing if the row is new. */
const sqlHeldIn = (column: string, window: string) =>
  `CASE WHEN held_window <> ${window} THEN 0 WHEN ${column} > :amount THEN :amount ELSE ${column} END`;

/** Reads what is neither used nor reserved in this period, as a budget. It reserves nothing. */
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
 * Counts what was used before a budget was set or changed, so that no refused question has to, and starts
 * its announcements again with the new limit.
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

/** Deletes the counts of all end users of a knowledge base; see forgetBudgetCounts(). */
export const forgetEndUserCounts = (manager: EntityManager, kbId: string): Promise<unknown> =>
  manager.delete(BudgetCount, { kbId, subject: Like(`${END_USER}%`) });

/** Deletes the count of a subject, whose next message counts the earlier usage again. */
export const forgetBudgetCounts = (
  manager: EntityManager,
  kbId: string,
  subject: string,
): Promise<unknown> => manager.delete(BudgetCount, { kbId, subject });

/** Moves the count of a key to the knowledge base that becomes its main one. */
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
  // A reservation may be released in a moment.
  const isSpent = stored === null || stored.spent >= limit;
  const waitMs = isSpent ? periodEnd(row.period, now).getTime() - now.getTime() : 1000;
  return new BudgetReachedProblem(owned, row, waitMs);
}
