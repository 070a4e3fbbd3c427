import { useEffect, useMemo, useState } from 'preact/hooks';
import { actOnMany } from '../../act-on-many.js';
import type { Gap } from '../../api.js';
import { Alert, Badge, Empty, number, plural, RowAction, Time } from '../../components/basics.js';
import { EnvironmentFilter } from '../../components/environment-filter.js';
import { PageHeader } from '../../components/page-header.js';
import { lastDays, PeriodFilter } from '../../components/period-filter.js';
import { Table } from '../../components/table.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { useChange, useLoad, useShared } from '../../load.js';
import { toOnePage } from '../../paging.js';
import { Link } from '../../routing.js';
import { useFilter } from '../../search-params.js';
import { CuratedAnswerDialog } from '../curated-answers/curated-answer.js';

const MAX_GAPS = 100;

/** Questions that people ask and the documents do not answer. */
export function GapsPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { forFiles, notify } = useShared();
  const leaving = useMemo(() => new AbortController(), [kb.id]);
  useEffect(
    () => () => {
      leaving.abort();
    },
    [leaving],
  );
  const [{ days = '30', environment, state }, setFilter] = useFilter([
    'days',
    'environment',
    'state',
  ]);
  const isClosed = state === 'closed';
  const [answering, setAnswering] = useState<Gap>();
  const query = {
    ...lastDays(days),
    limit: MAX_GAPS,
    ...(isClosed && { state: 'closed' as const }),
    ...((environment === 'live' || environment === 'test') && ({ environment } as const)),
  };
  const loaded = useLoad(
    (api, signal) => api.get('/api/v1/kbs/{kb_id}/gaps', { path: { kb_id: kb.id }, query, signal }),
    `gaps ${kb.id} ${days} ${environment ?? ''} ${isClosed} ${query.to}`,
  );
  const rows = toOnePage<Gap>({ ...loaded, value: loaded.value?.data });
  const again = useChange(async (gaps: readonly Gap[]) => {
    const questions = listWordings(gaps);
    const { signal } = leaving;
    // The time limit is that of files: a question may wait for a minute if its user has asked many.
    const api = forFiles();
    const ask = (question: string) =>
      api.post('/api/v1/kbs/{kb_id}/gaps/ask', {
        ...{ path: { kb_id: kb.id }, body: { question }, signal },
      });
    let answered = 0;
    const { error } = await actOnMany(
      questions,
      async (question) => {
        if ((await ask(question)).answered) answered++;
      },
      signal,
    );
    if (signal.aborted) return;
    loaded.reload();
    if (error) throw error;
    notify(
      `${number(answered)} of ${plural(questions.length, 'question')} ${answered === 1 ? 'is' : 'are'} answered now.`,
    );
  });
  return (
    <>
      <PageHeader
        title="Gaps"
        lead="Questions without an answer. Write the answer, or add a document and ask again: answered gaps are closed."
      />
      <form class="filters">
        <PeriodFilter
          value={days}
          onChange={(days) => {
            setFilter({ days, environment, state });
          }}
        />
        <EnvironmentFilter
          value={environment}
          onChange={(environment) => {
            setFilter({ days, environment, state });
          }}
        />
        <select
          aria-label="State"
          value={isClosed ? 'closed' : ''}
          onChange={(event) => {
            setFilter({ days, environment, state: event.currentTarget.value || undefined });
          }}
        >
          <option value="">Open</option>
          <option value="closed">Closed</option>
        </select>
        {loaded.value?.grouped_by === 'words' && rows.value && rows.value.length > 1 && (
          <span class="quiet">
            Put together by their words: there is no model for their meaning.
          </span>
        )}
      </form>
      <Alert error={again.error} />
      <Table
        caption="Gaps"
        rows={rows}
        getKey={({ question }) => question}
        selection={
          mayChange && !isClosed
            ? {
                getName: ({ question }) => question,
                actions: (chosen, clear) => (
                  <button
                    type="button"
                    disabled={again.busy}
                    onClick={() => {
                      void again.run(chosen).then((isDone) => {
                        if (isDone) clear();
                      });
                    }}
                  >
                    Ask {plural(listWordings(chosen).length, 'question')} again
                  </button>
                ),
              }
            : undefined
        }
        empty={
          <Empty title={isClosed ? 'No closed gaps' : 'No gaps'}>
            <p>
              {isClosed
                ? 'No unanswered question of this time has been answered since.'
                : 'Every question of this time was answered since, and no answer was rated bad.'}
            </p>
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
            name: 'Trend',
            kind: 'short',
            cell: (gap) => <Trend gap={gap} />,
            sortBy: ({ count, previous_count }) => count - previous_count,
          },
          {
            name: 'Why',
            kind: 'short',
            cell: ({ unanswered, down, closed_at, closed_by }) => (
              <>
                {unanswered > 0 && <Badge kind="pending">{number(unanswered)} not answered</Badge>}{' '}
                {down > 0 && <Badge kind="failed">{number(down)} rated bad</Badge>}
                {closed_at !== null && (
                  <div class="quiet">
                    <Badge kind="ready">closed</Badge>{' '}
                    {closed_by === 'curated_answer' ? 'by a curated answer' : 'asked again'}{' '}
                    <Time at={closed_at} />
                  </div>
                )}
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
              mayChange &&
              !isClosed && (
                <>
                  <RowAction
                    label={`Ask again: ${gap.question}`}
                    onPress={() => void again.run([gap])}
                  >
                    Ask again
                  </RowAction>
                  <RowAction
                    label={`Write the answer to: ${gap.question}`}
                    onPress={() => {
                      setAnswering(gap);
                    }}
                  >
                    Write the answer
                  </RowAction>
                </>
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

const listWordings = (gaps: readonly Gap[]) => gaps.flatMap(({ questions }) => questions);

/** Compares the count with the preceding period of the same length. */
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
