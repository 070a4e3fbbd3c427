import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Link } from '../routing.js';
import type { Message } from '../api.js';
import { AskedAt, usePlaces } from '../asked-at.js';
import { Badge, Loading, plural, Time } from '../components/basics.js';
import { Confirm } from '../components/dialog.js';
import { PageHeader } from '../components/page-header.js';
import { RichText } from '../components/rich-text.js';
import { More } from '../components/table.js';
import { useLoad, useRows, useShared } from '../load.js';
import { CitedText } from './cited-text.js';
import { isDoubtful } from './doubtful.js';
import { SourceHead } from './source-head.js';
import { TracePanel } from './trace-panel.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';

export function ConversationPage({ id }: { id: string }) {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify, isRunning } = useShared();
  const [, go] = useLocation();
  const [deleting, setDeleting] = useState(false);
  const [explained, setExplained] = useState<string>();
  const path = { conversation_id: id };
  const conversation = useLoad(
    (api, signal) => api.get('/api/v1/conversations/{conversation_id}', { path, signal }),
    id,
  );
  const rows = useRows<Message>(
    (api, query, signal) =>
      api.get('/api/v1/conversations/{conversation_id}/messages', {
        path,
        query,
        signal,
      }),
    `messages ${id}`,
  );
  const { value } = conversation;
  const places = usePlaces();
  return (
    <>
      <PageHeader
        title={value?.question ?? 'Conversation'}
        lead={
          value && (
            <>
              {value.end_user_id !== null && `${value.end_user_id} · `}
              <AskedAt conversation={value} places={places} /> · {value.environment}
            </>
          )
        }
        up={{ href: `/kbs/${kb.id}/conversations`, label: 'Conversations' }}
      >
        {mayChange && rows.value && (
          <button
            type="button"
            class="danger"
            onClick={() => {
              setDeleting(true);
            }}
          >
            Delete…
          </button>
        )}
      </PageHeader>
      {!rows.value && <Loading error={rows.error} />}
      <ol class="messages">
        {rows.value?.map((message, position, all) => (
          <li key={message.id} class={`by-${message.role}`}>
            <p class="quiet">
              {message.role === 'user' ? 'Question' : 'Answer'} · <Time at={message.created_at} />{' '}
              {message.status !== 'complete' && <Badge kind="failed">{message.status}</Badge>}
              {message.answered === false && <Badge kind="pending">not answered</Badge>}
              {message.kind === 'smalltalk' && <Badge kind="plain">no question</Badge>}
              {message.kind === 'list' && <Badge kind="plain">list of documents</Badge>}
              {message.feedback && (
                <Badge kind={message.feedback.rating === 'up' ? 'ready' : 'failed'}>
                  rated {message.feedback.rating === 'up' ? 'good' : 'bad'}
                </Badge>
              )}
            </p>
            {message.role === 'user' ? (
              <p class="passage said" dir="auto">
                {message.content}
              </p>
            ) : (
              <div class="said">
                <CitedText text={message.content} sources={message.sources} />
                {isDoubtful(message) && <p class="doubt">This may not be what was asked.</p>}
              </div>
            )}
            {message.feedback?.comment && (
              <p dir="auto">
                <span class="quiet">Comment:</span> {message.feedback.comment}
              </p>
            )}
            {message.role === 'assistant' && (
              <p class="actions">
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    setExplained(message.id);
                  }}
                >
                  Why this answer
                </button>
                {mayChange && (
                  <Fix
                    kbId={kb.id}
                    message={message}
                    question={all[position - 1]?.content ?? ''}
                    mayWrite={isRunning('curated-answers')}
                    mayEvaluate={isRunning('evaluations')}
                  />
                )}
              </p>
            )}
            {message.role === 'user' && (
              <p class="actions">
                <Link
                  href={`/kbs/${kb.id}/playground?question=${encodeURIComponent(message.content)}`}
                >
                  Ask it in the playground
                </Link>
              </p>
            )}
            {message.sources.length > 0 && (
              <details>
                <summary>{plural(message.sources.length, 'source')}</summary>
                <ul class="sources">
                  {message.sources.map((source) => (
                    <li key={source.index}>
                      <SourceHead kbId={kb.id} index={source.index} source={source} />
                      <div class="passage">
                        <RichText
                          text={source.snippet}
                          quotes={source.quote ? [source.quote.text] : []}
                        />
                      </div>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ol>
      {rows.value && <More rows={rows} />}
      {explained !== undefined && (
        <TracePanel
          kbId={kb.id}
          conversationId={id}
          messageId={explained}
          onClose={() => {
            setExplained(undefined);
          }}
        />
      )}
      {deleting && (
        <Confirm
          title="Delete this conversation?"
          action="Delete conversation"
          onClose={() => {
            setDeleting(false);
          }}
          onConfirm={async () => {
            await api.delete('/api/v1/conversations/{conversation_id}', { path });
            notify('The conversation is deleted.');
            go(`/kbs/${kb.id}/conversations`);
          }}
        >
          <p>Its questions, answers and ratings go with it. This cannot be undone.</p>
        </Confirm>
      )}
    </>
  );
}

/** What makes the next answer to the question a better one. */
function Fix(props: {
  kbId: string;
  message: Message;
  question: string;
  mayWrite: boolean;
  mayEvaluate: boolean;
}) {
  const { kbId, message, question, mayWrite, mayEvaluate } = props;
  const cited = message.sources.filter((source) => source.cited && source.kb_id === kbId);
  const documents = new Map(cited.map((source) => [source.document_id, source.document_title]));
  if (question === '' || message.kind !== undefined) return null;
  const asked = encodeURIComponent(question);
  const answer = message.answered === true ? encodeURIComponent(message.content) : '';
  return (
    <>
      {mayWrite && message.curated !== true && (
        <Link href={`/kbs/${kbId}/curated-answers?question=${asked}`}>Write the answer</Link>
      )}
      {[...documents].map(([id, title]) => (
        <Link key={id} href={`/kbs/${kbId}/documents/${id}?replace=1`}>
          Replace <bdi>{title}</bdi>…
        </Link>
      ))}
      {mayEvaluate && (
        <Link href={`/kbs/${kbId}/evaluations?add=${asked}&answer=${answer}`}>
          Add to an evaluation
        </Link>
      )}
    </>
  );
}
