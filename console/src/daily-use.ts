import type { Api } from './api.js';
import { useLoad, useShared } from './load.js';

export const USE_DAYS = 14;
/** The number of parallel requests, since the page makes others too. */
const AT_ONCE = 3;

/** The requests that each key has answered on each of the last days, oldest first. */
type DailyUse = ReadonlyMap<string, readonly number[]>;

/** Requests each day by itself, because the service returns totals by key for a period. */
export function useDailyUse(kbId: string): DailyUse | undefined {
  const { isRunning } = useShared();
  const { value } = useLoad(async (api, signal) => {
    const use = new Map<string, number[]>();
    if (!isRunning('analytics')) return use;
    const midnights = Array.from({ length: USE_DAYS + 1 }, (_, day) =>
      findMidnight(day + 1 - USE_DAYS),
    );
    const days = midnights
      .slice(0, USE_DAYS)
      .map((from, day) => ({ from, to: midnights[day + 1] }));
    for (let first = 0; first < days.length; first += AT_ONCE) {
      await Promise.all(
        days.slice(first, first + AT_ONCE).map(async (day, index) => {
          for (const [key, count] of await loadTotals(api, kbId, day, signal)) {
            const counts = use.get(key) ?? Array.from({ length: USE_DAYS }, () => 0);
            counts[first + index] = count;
            use.set(key, counts);
          }
        }),
      );
    }
    return use;
  }, `use ${kbId}`);
  return value;
}

async function loadTotals(
  api: Api,
  kbId: string,
  { from, to = from }: { from: string; to?: string | undefined },
  signal: AbortSignal,
): Promise<[string, number][]> {
  const answer = await api.get('/api/v1/kbs/{kb_id}/analytics', {
    path: { kb_id: kbId },
    query: { from, to, group_by: 'api_key' },
    signal,
  });
  return 'data' in answer
    ? answer.data.map(({ api_key_id, totals: { queries, chats } }) => [api_key_id, queries + chats])
    : [];
}

/** The reader's midnight, some days from today. */
function findMidnight(days: number): string {
  const date = new Date();
  date.setHours(0, 0, 0, 0);
  date.setDate(date.getDate() + days);
  return date.toISOString();
}
