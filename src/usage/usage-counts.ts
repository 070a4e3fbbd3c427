import type { EntityManager } from 'typeorm';
import { insertRows } from '../platform/database/insert-rows.js';
import { addHistograms, toBucket, parseHistograms } from './latency-histogram.js';
import { mergeRows } from './merge-rows.js';
import { QUARTER_MS, toQuarter } from './quarter.js';
import { UsageCount } from './usage-count.entity.js';
import type { UsedKey } from './key-use.js';

/** The counters with their columns. */
export const COUNTERS = {
  queries: 'queries',
  chats: 'chats',
  conversations: 'conversations',
  answered: 'answered',
  unanswered: 'unanswered',
  smallTalk: 'small_talk',
  up: 'up',
  down: 'down',
  promptTokens: 'prompt_tokens',
  completionTokens: 'completion_tokens',
  refused: 'refused',
  uses: 'uses',
} as const;

export type Counter = keyof typeof COUNTERS;
export type Counts = Record<Counter, number>;

export const COUNTER_NAMES = Object.keys(COUNTERS) as Counter[];

export const noCounts = (): Counts =>
  Object.fromEntries(COUNTER_NAMES.map((name) => [name, 0])) as Counts;

/** The amounts that one event adds to the counters. A negative count subtracts. */
export interface Increment {
  readonly key: UsedKey;
  /** The time of the event, which is counted in its quarter hour. */
  readonly at: Date;
  readonly counts: Partial<Counts>;
  readonly latencyMs?: number;
}

type UsageCountRow = Omit<UsageCount, 'knowledgeBase'>;

/**
 * Adds to the row of each key and quarter hour. Rows are locked in a fixed order, so that parallel
 * transactions cannot deadlock, and until the transaction ends, so call it late.
 */
export async function addToQuarters(
  manager: EntityManager,
  increments: readonly Increment[],
): Promise<void> {
  const added = mergeRows(increments.map(toQuarterRow), toRowKey, sum);
  const withoutLatencies = added.map((row) => ({ ...row, latencies: new Map() }));
  const stored = await insertRows(manager, UsageCount, withoutLatencies, ADD_COUNTS);
  const storedLatencies = new Map(
    stored.map(({ identity, latencies }) => [identity, parseHistograms(String(latencies))]),
  );
  const measured = added
    .filter(({ latencies }) => latencies.size > 0)
    .map((row) => {
      const before = storedLatencies.get(toRowKey(row)) ?? new Map();
      return { ...row, latencies: addHistograms(before, row.latencies) };
    });
  await insertRows(manager, UsageCount, measured, REPLACE_LATENCIES);
}

const toRowKey = ({ kbId, atMs, apiKeyId }: UsageCountRow) => `${kbId} ${atMs} ${apiKeyId}`;

const ON_CONFLICT = 'ON CONFLICT (kb_id, period, at_ms, api_key_id, id) DO UPDATE SET';
const ADD_COUNTS = `${ON_CONFLICT}
  ${Object.values(COUNTERS)
    .map((name) => `${name} = usage_counts.${name} + excluded.${name}`)
    .join()}
  RETURNING kb_id || ' ' || at_ms || ' ' || api_key_id AS identity, latencies`;
const REPLACE_LATENCIES = `${ON_CONFLICT} latencies = excluded.latencies`;

/** Writes a row for each request. It is an error if a request already has one. */
export const insertRequests = (
  manager: EntityManager,
  requests: readonly (Increment & { readonly id: string })[],
): Promise<unknown> =>
  insertRows(
    manager,
    UsageCount,
    requests.map((request) => ({ ...toQuarterRow(request), ...requestKey(request) })),
  );

interface Request {
  readonly id: string;
  readonly key: UsedKey;
  readonly at: Date;
}

/** The primary key of a request's row. */
export const requestKey = ({ id, key, at }: Request) =>
  ({
    kbId: key.kbId,
    period: 'request',
    atMs: at.getTime(),
    apiKeyId: key.id,
    id,
  }) as const;

const toQuarterRow = ({ key, at, counts, latencyMs }: Increment): UsageCountRow => ({
  kbId: key.kbId,
  period: 'quarter',
  atMs: toQuarter(at) * QUARTER_MS,
  apiKeyId: key.id,
  id: '',
  environment: key.environment,
  ...noCounts(),
  ...counts,
  latencies: new Map(latencyMs === undefined ? [] : [[toBucket(latencyMs), 1]]),
});

function sum(a: UsageCountRow, b: UsageCountRow): UsageCountRow {
  const row = { ...a, latencies: addHistograms(a.latencies, b.latencies) };
  for (const name of COUNTER_NAMES) row[name] += b[name];
  return row;
}
