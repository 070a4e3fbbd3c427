import type { Api, ApiKey } from './api.js';
import { useLoad } from './load.js';

/** The number of parallel requests, since the page makes others too. */
const AT_ONCE = 3;

/** The ids of ended keys that were used since. */
export function useTripwires(keys: readonly ApiKey[] | undefined): ReadonlySet<string> {
  const ended = (keys ?? []).filter(({ active }) => !active);
  const { value } = useLoad(
    (api, signal) => findTriedSince(api, ended, signal),
    `tripwires ${ended.map(({ id }) => id).join(' ')}`,
  );
  return value ?? new Set();
}

/** Finds the ids of ended keys that were used since. */
export async function findTriedSince(
  api: Api,
  ended: readonly ApiKey[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const tried = new Set<string>();
  for (let first = 0; first < ended.length; first += AT_ONCE) {
    await Promise.all(
      ended.slice(first, first + AT_ONCE).map(async ({ id }) => {
        const path = { key_id: id };
        const usage = await api.get('/api/v1/api-keys/{key_id}/usage', { path, signal });
        if (usage.refused_uses_since_revoked > 0) tried.add(id);
      }),
    );
  }
  return tried;
}
