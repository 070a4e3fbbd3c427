import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Figures } from '../api.js';
import { Bars } from '../components/bars.js';
import { Alert, Loading, number, percent, plural, Time } from '../components/basics.js';
import { Confirm } from '../components/dialog.js';
import { Icon } from '../components/icon.js';
import { PageHeader } from '../components/page-header.js';
import { lastDays } from '../components/period-filter.js';
import { wasAsked } from '../asked-before.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { useLoad, usePolling, useShared } from '../load.js';
import { Link } from '../routing.js';
import { SuggestedQuestions } from '../plugins/suggested-questions/suggested-questions.js';
import { SAMPLE_DESCRIPTION, SAMPLE_QUESTIONS } from '../sample.js';
import { type Matter, useAttention } from '../attention.js';
import '../styles/overview.css';

const DAYS = '14';
const UNANSWERED = 5;
const POLL_MS = 2000;
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The content, use and problems of a knowledge base. */
export function OverviewPage() {
  const { kb, mayChange, reload } = useKnowledgeBase();
  // Polls until new documents can be asked about.
  usePolling({ reload }, kb.document_count > 0 && kb.chunk_count === 0, POLL_MS);
  const period = { ...lastDays(DAYS), timezone: ZONE };
  const { isRunning } = useShared();
  const hasReports = isRunning('analytics');
  const hasGaps = isRunning('gaps');
  const report = useLoad(
    async (api, signal) =>
      hasReports
        ? api.get('/api/v1/kbs/{kb_id}/analytics', {
            ...{ path: { kb_id: kb.id }, query: { ...period, interval: 'day' }, signal },
          })
        : undefined,
    `overview ${kb.id} ${period.to}`,
  );
  const totals = report.value && 'totals' in report.value ? report.value.totals : undefined;
  const series = report.value && 'series' in report.value ? report.value.series : undefined;
  const isUsed = totals !== undefined && totals.chats + totals.queries > 0;
  const attention = useAttention(kb.id);
  // All parts are shown together, since a late one would move the others.
  const isLoading = (hasReports && !totals) || !attention.value;
  return (
    <>
      <PageHeader title="Overview" lead={kb.description ?? undefined}>
        {kb.chunk_count > 0 && (
          <Link href={`/kbs/${kb.id}/playground`} class="button primary">
            Ask a question
          </Link>
        )}
      </PageHeader>
      {kb.description === SAMPLE_DESCRIPTION && <Sample />}
      {isLoading && <Loading error={report.error ?? attention.error} rows={6} />}
      {!isLoading && !isUsed && mayChange && <FirstSteps />}
      {!isLoading && (
        <Attention matters={[...listUnanswered(totals, hasGaps), ...attention.value]} />
      )}
      {!isLoading && totals && (kb.document_count > 0 || isUsed) && (
        <section>
          <h2>The last {DAYS} days</h2>
          <Totals totals={totals} />
          {series && isUsed && (
            <Bars
              label="Questions a day"
              names={['answered', 'not answered']}
              rows={series.map(({ date, answered, unanswered }) => ({
                ...{ at: new Date(date), counts: [answered, unanswered] },
              }))}
            />
          )}
        </section>
      )}
      {!isLoading && hasReports && <Unanswered from={period.from} to={period.to} />}
    </>
  );
}

/** The share of unanswered questions from which it needs attention, where enough were asked. */
const MANY_UNANSWERED = 0.2;
const ENOUGH_QUESTIONS = 5;

function listUnanswered(totals: Figures | undefined, hasGaps: boolean): readonly Matter[] {
  if (!totals) return [];
  const asked = totals.answered + totals.unanswered;
  const share = asked < ENOUGH_QUESTIONS ? 0 : totals.unanswered / asked;
  if (share < MANY_UNANSWERED) return [];
  return [
    {
      path: hasGaps ? 'gaps' : 'conversations?answered=false',
      title: `${percent(share)} of the questions were not answered`,
      detail: `in the last ${DAYS} days.`,
      action: hasGaps ? 'See gaps' : 'See conversations',
    },
  ];
}

function Totals({ totals }: { totals: Figures }) {
  const { kb } = useKnowledgeBase();
  const asked = totals.answered + totals.unanswered;
  const facts = [
    ['Documents', number(kb.document_count), 'documents'],
    ['Questions', number(totals.chats), `analytics?days=${DAYS}`],
    ['Answered', percent(asked === 0 ? null : totals.answered / asked), 'conversations'],
    ['Rated good', percent(totals.satisfaction_rate), 'conversations?rating=down'],
    ['End users', number(totals.end_users), `costs?by=end_user`],
  ] as const;
  return (
    <dl class="totals">
      {facts.map(([name, value, page]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Link href={`/kbs/${kb.id}/${page}`}>{value}</Link>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Current and imminent problems, each with a link to the page where it is fixed. */
function Attention({ matters }: { matters: readonly Matter[] }) {
  const { kb } = useKnowledgeBase();
  if (kb.document_count === 0 && matters.length === 0) return null;
  return (
    <section>
      <h2>Needs attention</h2>
      {matters.length === 0 && (
        <p class="well">
          <Icon name="done" /> All is well.
        </p>
      )}
      <ul class="attention warnings">
        {matters.map(({ path, title, detail, action, at }) => (
          <li key={`${path} ${title}`}>
            <Icon name="warning" />
            <span>
              <strong dir="auto">{title}</strong>{' '}
              <span class="quiet" dir="auto">
                {detail} {at !== undefined && <Time at={at} />}
              </span>
            </span>
            <Link href={`/kbs/${kb.id}/${path}`} class="button">
              {action}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Unanswered(period: { from: string; to: string }) {
  const { isRunning } = useShared();
  const { kb, mayChange } = useKnowledgeBase();
  const { value, error } = useLoad(
    (api, signal) =>
      api.get('/api/v1/kbs/{kb_id}/analytics/unanswered', {
        path: { kb_id: kb.id },
        query: { ...period, timezone: ZONE, limit: UNANSWERED },
        signal,
      }),
    `unanswered overview ${kb.id} ${period.to}`,
  );
  if (error !== undefined) return <Alert error={error} />;
  if (!value || value.data.length === 0) return null;
  return (
    <section>
      <div class="heading section">
        <h2>Not answered</h2>
        <Link href={`/kbs/${kb.id}/gaps`}>All gaps</Link>
      </div>
      <ul class="attention">
        {value.data.map(({ question, count, last_asked_at }) => {
          const asked = `question=${encodeURIComponent(question)}`;
          return (
            <li key={question}>
              <Icon name="conversation" />
              <span>
                <Link href={`/kbs/${kb.id}/playground?${asked}`} dir="auto">
                  {question}
                </Link>{' '}
                <span class="quiet">
                  {count > 1 && `${plural(count, 'time')}, last `}
                  <Time at={last_asked_at} />
                </span>
              </span>
              {mayChange && isRunning('curated-answers') && (
                <Link href={`/kbs/${kb.id}/curated-answers?${asked}`} class="button">
                  Write the answer
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The steps from an empty knowledge base to a program that asks. */
function FirstSteps() {
  const { kb } = useKnowledgeBase();
  const keys = useLoad(
    (api, signal) =>
      api.get('/api/v1/kbs/{kb_id}/api-keys', {
        ...{ path: { kb_id: kb.id }, query: { limit: 1 }, signal },
      }),
    `first key ${kb.id}`,
  ).value;
  const steps: readonly (readonly [boolean, string, ComponentChildren, string, string])[] = [
    [
      kb.document_count > 0,
      'Add documents',
      kb.document_count > 0 && kb.chunk_count === 0
        ? 'They are being read.'
        : 'Drop files, write a text, or connect a website, bucket or repository.',
      'documents',
      'Add documents',
    ],
    [
      wasAsked(kb.id),
      'Ask a question',
      'The playground answers from the documents, and shows where each answer is from.',
      'playground',
      'Open the playground',
    ],
    [
      (keys?.data.length ?? 0) > 0,
      'Create an API key',
      'With it your program asks, over REST, MCP or the API of OpenAI.',
      'keys',
      'Create API key',
    ],
  ];
  return (
    <section aria-label="First steps">
      <h2>First steps</h2>
      <ol class="steps">
        {steps.map(([isDone, title, text, page, action]) => (
          <li key={title} class={isDone ? 'done' : ''}>
            <h3>
              {isDone && <Icon name="done" />} {title}
              {isDone && <span class="unseen"> (done)</span>}
            </h3>
            <p class="quiet">{text}</p>
            <Link href={`/kbs/${kb.id}/${page}`} class="button">
              {action}
            </Link>
          </li>
        ))}
      </ol>
      <SuggestedQuestions kb={kb} />
    </section>
  );
}

/** Suggests questions for the sample, and offers to remove it. */
function Sample() {
  const { kb, isOwner } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [, go] = useLocation();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <section class="sample" aria-label="Sample">
      <p>This is a sample. Ask it something, the last of which its documents do not say:</p>
      <ul>
        {SAMPLE_QUESTIONS.map((question) => (
          <li key={question}>
            <Link href={`/kbs/${kb.id}/playground?question=${encodeURIComponent(question)}`}>
              {question}
            </Link>
          </li>
        ))}
      </ul>
      {isOwner && (
        <button
          type="button"
          onClick={() => {
            setRemoving(true);
          }}
        >
          Remove the sample…
        </button>
      )}
      {isRemoving && (
        <Confirm
          title="Remove the sample?"
          action="Remove the sample"
          onClose={() => {
            setRemoving(false);
          }}
          onConfirm={async () => {
            await api.delete('/api/v1/kbs/{kb_id}', { path: { kb_id: kb.id } });
            notify('The sample is removed.');
            go('/');
          }}
        >
          <p>Its documents, conversations and API keys go with it.</p>
        </Confirm>
      )}
    </section>
  );
}
