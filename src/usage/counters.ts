import type { EntityManager } from 'typeorm';
import { upsert } from '../database/upsert.js';
import { GRAINS, quarterOf, startOfGrain } from './quarters.js';
import { UsageCount } from './usage-count.entity.js';
import type { UsedKey } from './used-key.js';

/** What is counted, with its column. */
export const COUNTERS = {
  queries: 'queries',
  chats: 'chats',
  conversations: 'conversations',
  answered: 'answered',
  unanswered: 'unanswered',
  up: 'up',
  down: 'down',
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  refused: 'refused',
} as const;

export type Counter = keyof typeof COUNTERS;

export const COUNTER_NAMES = Object.keys(COUNTERS) as Counter[];

/** By how much to count up, or down, and when what is counted happened. */
export interface Increment {
  readonly key: UsedKey;
  readonly at: Date;
  readonly counts: Partial<Record<Counter, number>>;
}

/** Of a table that is counted by stretches of time. */
export interface Stretch {
  readonly kbId: string;
  readonly grain: number;
  readonly quarter: number;
  readonly apiKeyId: string;
  readonly environment: 'live' | 'test';
}

/** The stretches of time that a moment falls in. */
export const stretchesOf = (key: UsedKey, at: Date): Stretch[] =>
  GRAINS.map((grain) => ({
    kbId: key.kbId,
    grain,
    quarter: startOfGrain(quarterOf(at), grain),
    apiKeyId: key.id,
    environment: key.environment,
  }));

export async function increment(
  manager: EntityManager,
  increments: readonly Increment[],
): Promise<void> {
  const rows = increments.flatMap(({ key, at, counts }) => {
    const all = { ...NONE, ...counts };
    return stretchesOf(key, at).map((stretch) => ({ ...stretch, ...all }));
  });
  const merged = merge(rows, keyOf, (sum, row) => {
    for (const name of COUNTER_NAMES) sum[name] += row[name];
  });
  await upsert(manager, UsageCount, merged, ADDED);
}

const NONE = Object.fromEntries(COUNTER_NAMES.map((name) => [name, 0])) as Record<Counter, number>;
const ADDED = Object.fromEntries(
  Object.values(COUNTERS).map((column) => [column, `usage_counts.${column} + excluded.${column}`]),
);

export const keyOf = ({ kbId, apiKeyId, grain, quarter }: Stretch): string =>
  `${kbId} ${apiKeyId} ${grain} ${quarter}`;

/**
 * One row for each key: a statement changes no row twice. In one order, so that two processes do
 * not wait for each other in a circle.
 *
 * @param add adds a row to the one there is
 */
export function merge<Row>(
  rows: readonly Row[],
  key: (row: Row) => string,
  add: (sum: Row, row: Row) => void,
): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const sum = sums.get(key(row));
    if (sum) add(sum, row);
    else sums.set(key(row), { ...row });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
