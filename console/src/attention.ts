import type { ApiKey } from './api.js';
import { plural } from './components/basics.js';
import { loadAllRows, useLoad, useShared } from './load.js';
import { findTriedSince } from './tripwires.js';

/** A matter that needs attention, with the page where it is fixed. */
export interface Matter {
  /** The page, below that of the knowledge base. */
  readonly path: string;
  readonly title: string;
  readonly detail: string;
  readonly action: string;
  /** When it happened, or will. */
  readonly at?: string;
}

/** The list of a plugin that does not run. */
const NONE = { data: [] };
const SOON_MS = 14 * 86_400_000;
/** The number of ended keys that are checked, since each takes a request. */
const ENDED_KEYS = 20;

/** Current and imminent problems of a knowledge base, the most urgent first. */
export function useAttention(kbId: string) {
  const { isRunning } = useShared();
  return useLoad(async (api, signal): Promise<readonly Matter[]> => {
    const path = { kb_id: kbId };
    const first = { path, query: { limit: 100 }, signal } as const;
    const [failed, outdated, sources, active, ended, webhooks, curated] = await Promise.all([
      api.get('/api/v1/kbs/{kb_id}/documents', {
        ...{ path, query: { status: 'failed', limit: 1 }, signal },
      }),
      api.get('/api/v1/kbs/{kb_id}/documents', {
        ...{ path, query: { needs_reindex: true, limit: 1 }, signal },
      }),
      isRunning('sources') ? api.get('/api/v1/kbs/{kb_id}/sources', first) : NONE,
      loadAllRows<ApiKey>((page) =>
        api.get('/api/v1/kbs/{kb_id}/api-keys', {
          ...{ path, query: { ...page, active: true }, signal },
        }),
      ),
      api.get('/api/v1/kbs/{kb_id}/api-keys', {
        ...{ path, query: { active: false, limit: ENDED_KEYS }, signal },
      }),
      isRunning('webhooks') ? api.get('/api/v1/kbs/{kb_id}/webhooks', first) : NONE,
      isRunning('curated-answers') ? api.get('/api/v1/kbs/{kb_id}/curated-answers', first) : NONE,
    ]);
    const tried = await findTriedSince(api, ended.data, signal);
    const now = Date.now();
    return [
      ...ended.data
        .filter(({ id }) => tried.has(id))
        .map(({ id, name }): Matter => ({
          ...{ path: `keys?key=${id}`, title: name, action: 'See who tries' },
          detail: 'has ended, and somebody still tries it.',
        })),
      ...toMatters(failed.total, {
        ...{ path: 'documents?status=failed', action: 'See why' },
        title: (count) => `${plural(count, 'document')} could not be read`,
        detail: 'Nothing is answered from what could not be read.',
      }),
      ...sources.data
        .filter(({ state }) => state === 'failing' || state === 'needs_confirmation')
        .map(({ id, name, state, last_synced_at: at }): Matter => {
          const source = { path: `sources/${id}`, title: name };
          if (state !== 'failing') {
            const detail = 'asks before it deletes or opens documents.';
            return { ...source, detail, action: 'Decide' };
          }
          const failing = { ...source, action: 'See why' };
          return at === null
            ? { ...failing, detail: 'has never been read.' }
            : { ...failing, detail: 'cannot be read; last synced', at };
        }),
      ...webhooks.data
        .filter(({ state }) => state === 'deactivated')
        .map(({ url }): Matter => ({
          ...{ path: 'webhooks', title: url, action: 'See webhooks' },
          detail: 'gets no events any more, since it did not take them.',
        })),
      ...active
        .filter(({ expires_at, rotated_to }) => {
          const at = expires_at === null ? Infinity : Date.parse(expires_at);
          return rotated_to === null && at - now < SOON_MS;
        })
        .map(({ id, name, expires_at }): Matter => ({
          ...{ path: `keys?key=${id}`, title: name, action: 'Rotate it' },
          ...{ detail: 'expires', at: expires_at ?? '' },
        })),
      ...toMatters(
        curated.data.filter(({ review_at }) => review_at !== null && Date.parse(review_at) <= now)
          .length,
        {
          ...{ path: 'curated-answers', action: 'Review' },
          title: (count) => `${plural(count, 'curated answer')} to be reviewed`,
          detail: 'The date on which somebody should look has come.',
        },
      ),
      ...toMatters(outdated.total, {
        ...{ path: 'settings', action: 'Read again' },
        title: (count) => `${plural(count, 'document')} read with other settings`,
        detail: 'The size of passages has changed since.',
      }),
    ];
  }, `attention ${kbId}`);
}

function toMatters(
  count: number | undefined,
  matter: Omit<Matter, 'title'> & { title: (count: number) => string },
): readonly Matter[] {
  return count === undefined || count === 0 ? [] : [{ ...matter, title: matter.title(count) }];
}
