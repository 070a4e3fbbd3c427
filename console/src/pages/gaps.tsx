import { useState } from 'preact/hooks';
import type { Gap } from '../api.js';
import { Badge, Empty, number, plural, RowAction, Time } from '../components/basics.js';
import { EnvironmentFilter } from '../components/environment-filter.js';
import { PageHeader } from '../components/page-header.js';
import { lastDays, PeriodFilter } from '../components/period-filter.js';
import { Table } from '../components/table.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { useLoad, useShared } from '../load.js';
import { onePage } from '../paging.js';
import { Link } from '../routing.js';
import { useFilter } from '../search-params.js';
import { CuratedAnswerDialog } from './curated-answer.js';

const MAX_GAPS = 100;

/** What people ask and the documents do not answer. */
export function GapsPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { notify } = useShared();
  const [{ days = '30', environment }, setFilter] = useFilter(['days', 'environment']);
  const [answering, setAnswering] = useState<Gap>();
  const query = {
    ...lastDays(days),
    limit: MAX_GAPS,
    ...((environment === 'live' || environment === 'test') && ({ environment } as const)),
  };
  const loaded = useLoad(
    (api, signal) => api.get('/api/v1/kbs/{kb_id}/gaps', { path: { kb_id: kb.id }, query, signal }),
    `gaps ${kb.id} ${days} ${environment ?? ''} ${query.to}`,
  );
  const rows = onePage<Gap>({ ...loaded, value: loaded.value?.data });
  return (
    <>
      <PageHeader
        title="Gaps"
        lead="What people asked in vain. Write the answer, and the gap is closed."
      />
      <form class="filters">
        <PeriodFilter
          value={days}
          onChange={(days) => {
            setFilter({ days, environment });
          }}
        />
        <EnvironmentFilter
          value={environment}
          onChange={(environment) => {
            setFilter({ days, environment });
          }}
        />
        {loaded.value?.grouped_by === 'words' && rows.value && rows.value.length > 1 && (
          <span class="quiet">
            Put together by their words: there is no model for their meaning.
          </span>
        )}
      </form>
      <Table
        caption="Gaps"
        rows={rows}
        keyOf={({ question }) => question}
        empty={
          <Empty title="No gaps">
            <p>Every question of this time was answered, and no answer was rated bad.</p>
            <Link class="button" href={`/kbs/${kb.id}/conversations`}>
              Look at the conversations
            </Link>
          </Empty>
        }
        columns={[
          {
            name: 'Question',
            cell: ({ question, questions }) => (
              <>
                <Link
                  href={`/kbs/${kb.id}/playground?question=${encodeURIComponent(question)}`}
                  class="question-cell"
                  dir="auto"
                >
                  {question}
                </Link>
                {questions.length > 1 && (
                  <details>
                    <summary>{plural(questions.length - 1, 'other wording')}</summary>
                    <ul class="wordings">
                      {questions.slice(1).map((wording) => (
                        <li key={wording} dir="auto">
                          {wording}
                        </li>
                      ))}
                    </ul>
                  </details>
                )}
              </>
            ),
          },
          {
            name: 'Asked',
            kind: 'numeric',
            cell: ({ count }) => number(count),
            sortBy: ({ count }) => count,
          },
          {
            name: 'Before',
            kind: 'short',
            cell: (gap) => <Trend gap={gap} />,
            sortBy: ({ count, previous_count }) => count - previous_count,
          },
          {
            name: 'Why',
            kind: 'short',
            cell: ({ unanswered, down }) => (
              <>
                {unanswered > 0 && <Badge kind="pending">{number(unanswered)} not answered</Badge>}{' '}
                {down > 0 && <Badge kind="failed">{number(down)} rated bad</Badge>}
              </>
            ),
          },
          {
            name: 'Last',
            kind: 'short',
            cell: ({ last_asked_at, conversation_id }) => (
              <Link href={`/kbs/${kb.id}/conversations/${conversation_id}`}>
                <Time at={last_asked_at} />
              </Link>
            ),
            sortBy: ({ last_asked_at }) => last_asked_at,
          },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (gap) =>
              mayChange && (
                <RowAction
                  label={`Write the answer to: ${gap.question}`}
                  onPress={() => {
                    setAnswering(gap);
                  }}
                >
                  Write the answer
                </RowAction>
              ),
          },
        ]}
      />
      {answering && (
        <CuratedAnswerDialog
          kbId={kb.id}
          questions={answering.questions}
          onClose={() => {
            setAnswering(undefined);
          }}
          onSaved={() => {
            setAnswering(undefined);
            notify('The answer is saved, and the gap is closed.');
            loaded.reload();
          }}
        />
      )}
    </>
  );
}

/** Beside the time before, which is as long. */
function Trend({ gap: { count, previous_count: before } }: { gap: Gap }) {
  const change = count - before;
  const words = change > 0 ? 'more than before' : change < 0 ? 'fewer than before' : 'as before';
  if (before === 0) return <Badge kind="plain">new</Badge>;
  return (
    <span class="trend" title={`${number(before)} in the time before`}>
      {change > 0 ? '↑' : change < 0 ? '↓' : '='} {number(before)}
      <span class="unseen"> {words}</span>
    </span>
  );
}
