import type { Api } from './api.js';
import { useLoad } from './load.js';

export const USE_DAYS = 14;
/** Requests at once: the page has others to make. */
const AT_ONCE = 3;

/** What each key has answered on each of the last days, oldest first. */
type DailyUse = ReadonlyMap<string, readonly number[]>;

/** The service gives totals by key for a period, so each day is asked for. */
export function useDailyUse(kbId: string): DailyUse | undefined {
  const { value } = useLoad(async (api, signal) => {
    const use = new Map<string, number[]>();
    const midnights = Array.from({ length: USE_DAYS + 1 }, (_, day) =>
      midnight(day + 1 - USE_DAYS),
    );
    const days = midnights
      .slice(0, USE_DAYS)
      .map((from, day) => ({ from, to: midnights[day + 1] }));
    for (let first = 0; first < days.length; first += AT_ONCE) {
      await Promise.all(
        days.slice(first, first + AT_ONCE).map(async (day, index) => {
          for (const [key, count] of await totals(api, kbId, day, signal)) {
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

async function totals(
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
function midnight(days: number): string {
  const date = new Date();
  date.setHours(0, 0, 0, 0);
  date.setDate(date.getDate() + days);
  return date.toISOString();
}
