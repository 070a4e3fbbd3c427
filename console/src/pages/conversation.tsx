import { Link } from '../routing.js';
import type { Message } from '../api.js';
import { Badge, Loading, Time } from '../components/basics.js';
import { More } from '../components/table.js';
import { useRows } from '../load.js';
import { SourceHead } from './answer.js';
import { useKnowledgeBase } from './knowledge-base.js';

export function ConversationPage({ id }: { id: string }) {
  const { kb } = useKnowledgeBase();
  const rows = useRows<Message>(
    (api, query, signal) =>
      api.get('/api/v1/conversations/{conversation_id}/messages', {
        path: { conversation_id: id },
        query,
        signal,
      }),
    `messages ${id}`,
  );
  return (
    <>
      <p class="crumbs">
        <Link href={`/kbs/${kb.id}/conversations`}>Conversations</Link>
      </p>
      {!rows.value && <Loading error={rows.error} />}
      <ol class="messages">
        {rows.value?.map((message) => (
          <li key={message.id} class={message.role}>
            <p class="quiet">
              {message.role === 'user' ? 'Question' : 'Answer'} · <Time at={message.created_at} />
              {message.status !== 'complete' && <Badge kind="failed">{message.status}</Badge>}
              {message.answered === false && <Badge kind="pending">not answered</Badge>}
              {message.feedback && (
                <Badge kind={message.feedback.rating === 'up' ? 'ready' : 'failed'}>
                  rated {message.feedback.rating === 'up' ? 'good' : 'bad'}
                </Badge>
              )}
            </p>
            <p class="passage">{message.content}</p>
            {message.feedback?.comment && <p>“{message.feedback.comment}”</p>}
            {message.role === 'user' && (
              <Link
                href={`/kbs/${kb.id}/playground?question=${encodeURIComponent(message.content)}`}
              >
                Ask it in the playground
              </Link>
            )}
            {message.sources.map((source) => (
              <SourceHead key={source.index} kbId={kb.id} index={source.index} source={source} />
            ))}
          </li>
        ))}
      </ol>
      {rows.value && <More rows={rows} />}
    </>
  );
}
