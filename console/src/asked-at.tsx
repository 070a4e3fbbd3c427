import { useEffect } from 'preact/hooks';
import type { Conversation } from './api.js';
import { plural } from './components/basics.js';
import { useKnowledgeBase } from './current-knowledge-base.js';
import { loadAllRows, useLoad, useShared } from './load.js';
import { Link } from './routing.js';

/** A site or a channel, in which people ask. */
interface Place {
  readonly id: string;
  readonly name: string;
  readonly kind: 'site' | 'channel';
}

/** Lists the sites and channels of the knowledge base; undefined until they are loaded. */
export function usePlaces(): readonly Place[] | undefined {
  const { kb } = useKnowledgeBase();
  const { isRunning } = useShared();
  const path = { kb_id: kb.id };
  const { value } = useLoad(async (api, signal) => {
    const [sites, channels] = await Promise.all([
      isRunning('sites')
        ? loadAllRows((query) => api.get('/api/v1/kbs/{kb_id}/sites', { path, query, signal }))
        : [],
      isRunning('channels')
        ? loadAllRows((query) => api.get('/api/v1/kbs/{kb_id}/channels', { path, query, signal }))
        : [],
    ]);
    return [
      ...sites.map(({ id, name }) => ({ id, name, kind: 'site' as const })),
      ...channels.map(({ id, name }) => ({ id, name, kind: 'channel' as const })),
    ];
  }, `places ${kb.id}`);
  return value;
}

/** Leads to the conversations of a site or channel. */
export function ConversationsLink(props: { place: { id: string; messages_today: number } }) {
  const { id, messages_today: today } = props.place;
  const { kb } = useKnowledgeBase();
  const { value, reload } = useLoad(
    (api, signal) =>
      api.get('/api/v1/kbs/{kb_id}/conversations', {
        ...{ path: { kb_id: kb.id }, query: { asked_at: id, limit: 1 }, signal },
      }),
    `conversations of ${id}`,
  );
  // A new question may have begun one.
  useEffect(reload, [today]);
  return (
    <Link href={`/kbs/${kb.id}/conversations?asked_at=${id}`}>
      {value ? plural(value.total, 'conversation') : 'Conversations'}
    </Link>
  );
}

/** The place where a conversation was asked, as “Help centre · site”; otherwise the name of its key. */
export function AskedAt(props: {
  conversation: Pick<Conversation, 'asked_at' | 'api_key_name'>;
  places: readonly Place[] | undefined;
}) {
  const { kb } = useKnowledgeBase();
  const { asked_at: askedAt, api_key_name: keyName } = props.conversation;
  if (!askedAt) return <span dir="auto">{keyName ?? 'a key that is gone'}</span>;
  const kind = askedAt.site_id === undefined ? 'channel' : 'site';
  const place = props.places?.find(({ id }) => id === (askedAt.site_id ?? askedAt.channel_id));
  // The name of what is deleted is gone with it.
  if (!place) return <>{props.places && `a ${kind} that is gone`}</>;
  return (
    <>
      <Link href={`/kbs/${kb.id}/${kind}s/${place.id}`} dir="auto">
        {place.name}
      </Link>
      <span class="quiet"> · {kind}</span>
    </>
  );
}
