import type { EntityManager } from 'typeorm';
import type { UsedKey } from './used-key.js';
import { insertOrMerge } from './insert-or-merge.js';
import { addHistograms, bucketOf } from './latency-histogram.js';
import { quarterOf } from './quarter.js';
import { UsageCount } from './usage-count.entity.js';

/** The counters, each with its column. */
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
export type Counts = Record<Counter, number>;

export const COUNTER_NAMES = Object.keys(COUNTERS) as Counter[];

export const noCounts = (): Counts =>
  Object.fromEntries(COUNTER_NAMES.map((name) => [name, 0])) as Counts;

/** What one event adds to the counters; a negative count subtracts. */
export interface Increment {
  readonly key: UsedKey;
  /** When the event happened: it is counted in the quarter hour of that time. */
  readonly at: Date;
  readonly counts: Partial<Counts>;
  readonly latencyMs?: number;
}

type UsageCountRow = Omit<UsageCount, 'knowledgeBase'>;

/** The roll-up has one row of counters for each key and quarter hour; adds increments to them. */
export const addToRollUp = (
  manager: EntityManager,
  increments: readonly Increment[],
): Promise<void> =>
  insertOrMerge<UsageCountRow>(manager, UsageCount, increments.map(toRow), {
    empty: (row) => ({ ...row, ...noCounts(), latencies: new Map() }),
    merge: sum,
  });

const toRow = ({ key, at, counts, latencyMs }: Increment): UsageCountRow => ({
  kbId: key.kbId,
  quarter: quarterOf(at),
  apiKeyId: key.id,
  environment: key.environment,
  ...noCounts(),
  ...counts,
  latencies: new Map(latencyMs === undefined ? [] : [[bucketOf(latencyMs), 1]]),
});

function sum(a: UsageCountRow, b: UsageCountRow): UsageCountRow {
  const row = { ...a, latencies: addHistograms(a.latencies, b.latencies) };
  for (const name of COUNTER_NAMES) row[name] += b[name];
  return row;
}
