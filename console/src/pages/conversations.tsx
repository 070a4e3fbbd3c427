import { useRef, useState } from 'preact/hooks';
import { Link } from '../routing.js';
import type { Conversation } from '../api.js';
import { AskedAt, usePlaces } from '../asked-at.js';
import { unlessGone } from '../act-on-many.js';
import { Badge, Empty, plural, Time } from '../components/basics.js';
import { ConfirmMany } from '../components/confirm-many.js';
import { Confirm } from '../components/dialog.js';
import { EnvironmentFilter } from '../components/environment-filter.js';
import { PageHeader } from '../components/page-header.js';
import { Table } from '../components/table.js';
import { useShared } from '../load.js';
import { usePagedRows } from '../paging.js';
import { useFilter } from '../search-params.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';

export function ConversationsPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [filter, setFilter] = useFilter([
    'q',
    'end_user_id',
    'answered',
    'rating',
    'environment',
    'asked_at',
    'from',
    'to',
  ]);
  const [erasing, setErasing] = useState<string>();
  const [deleting, setDeleting] = useState<readonly Conversation[]>();
  const endUser = useRef<HTMLInputElement>(null);
  const words = useRef<HTMLInputElement>(null);
  const rows = usePagedRows<Conversation>(
    (api, page, signal) =>
      api.get('/api/v1/kbs/{kb_id}/conversations', {
        path: { kb_id: kb.id },
        query: { ...page, ...(filter as object), ...toInstants(filter) },
        signal,
      }),
    `conversations ${kb.id} ${JSON.stringify(filter)}`,
  );
  const places = usePlaces();
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <PageHeader title="Conversations" lead="What people have asked, wherever they asked it." />
      <form
        key={`${filter.q ?? ''} ${filter.end_user_id ?? ''}`}
        class="filters"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setFilter({
            ...filter,
            q: words.current?.value.trim() || undefined,
            end_user_id: endUser.current?.value.trim() || undefined,
          });
        }}
      >
        <input
          ref={words}
          type="search"
          aria-label="Words of a question"
          placeholder="Words of a question"
          maxLength={255}
          defaultValue={filter.q ?? ''}
        />
        <input
          ref={endUser}
          type="search"
          aria-label="End user"
          placeholder="End user"
          defaultValue={filter.end_user_id ?? ''}
        />
        <button>Search</button>
        <select
          aria-label="Answered"
          value={filter.answered ?? ''}
          onChange={(event) => {
            setFilter({ ...filter, answered: event.currentTarget.value || undefined });
          }}
        >
          <option value="">Answered or not</option>
          <option value="true">Answered</option>
          <option value="false">Not answered</option>
        </select>
        <select
          aria-label="Rating"
          value={filter.rating ?? ''}
          onChange={(event) => {
            setFilter({ ...filter, rating: event.currentTarget.value || undefined });
          }}
        >
          <option value="">Any rating</option>
          <option value="up">Good</option>
          <option value="down">Bad</option>
        </select>
        <EnvironmentFilter
          value={filter.environment}
          onChange={(environment) => {
            setFilter({ ...filter, environment });
          }}
        />
        {((places && places.length > 0) || filter.asked_at !== undefined) && (
          <select
            key={places?.length}
            aria-label="Where"
            value={filter.asked_at ?? ''}
            onChange={(event) => {
              setFilter({ ...filter, asked_at: event.currentTarget.value || undefined });
            }}
          >
            <option value="">Anywhere</option>
            {places?.map(({ id, name, kind }) => (
              <option key={id} value={id}>
                {name} ({kind})
              </option>
            ))}
          </select>
        )}
        <span class="range">
          {(['from', 'to'] as const).map((end) => (
            <label key={end}>
              {end === 'from' ? 'From' : 'To'}
              <input
                type="date"
                value={filter[end] ?? ''}
                onChange={(event) => {
                  setFilter({ ...filter, [end]: event.currentTarget.value });
                }}
              />
            </label>
          ))}
        </span>
        {mayChange && filter.end_user_id !== undefined && (
          <button
            type="button"
            class="danger"
            onClick={() => {
              setErasing(filter.end_user_id);
            }}
          >
            Erase this end user…
          </button>
        )}
      </form>
      <Table
        caption="Conversations"
        rows={rows}
        getKey={({ id }) => id}
        selection={
          mayChange
            ? {
                getName: ({ question }) => question ?? 'Conversation',
                actions: (chosen) => (
                  <button
                    type="button"
                    class="danger"
                    onClick={() => {
                      setDeleting(chosen);
                    }}
                  >
                    Delete…
                  </button>
                ),
              }
            : undefined
        }
        empty={
          <Empty title={isFiltered ? 'No conversation fits' : 'Nobody has asked yet'}>
            {isFiltered ? (
              <button
                type="button"
                onClick={() => {
                  setFilter({});
                }}
              >
                Show all
              </button>
            ) : (
              <p>
                Questions that people ask on a site, in a channel or by a program with an API key
                appear here. Playground questions are not logged.
              </p>
            )}
          </Empty>
        }
        columns={[
          {
            name: 'Question',
            cell: (each) => (
              <Link
                href={`/kbs/${kb.id}/conversations/${each.id}`}
                class="question-cell"
                dir="auto"
              >
                {each.question ?? 'Conversation'}
              </Link>
            ),
          },
          {
            name: 'State',
            kind: 'short',
            cell: ({ answered, rating }) => (
              <>
                {answered === true && <Badge kind="ready">answered</Badge>}
                {answered === false && <Badge kind="pending">not answered</Badge>}
                {answered === null && <Badge kind="failed">no answer</Badge>}{' '}
                {rating !== null && (
                  <Badge kind={rating === 'up' ? 'ready' : 'failed'}>
                    rated {rating === 'up' ? 'good' : 'bad'}
                  </Badge>
                )}
              </>
            ),
          },
          {
            name: 'End user',
            cell: ({ end_user_id }) =>
              end_user_id === null ? (
                <span class="quiet">–</span>
              ) : (
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    setFilter({ ...filter, end_user_id });
                  }}
                >
                  {end_user_id}
                </button>
              ),
          },
          {
            name: 'Where',
            cell: (each) => (
              <>
                <AskedAt conversation={each} places={places} />{' '}
                {each.environment === 'test' && <Badge kind="plain">test</Badge>}
              </>
            ),
          },
          { name: 'Last message', kind: 'short', cell: (each) => <Time at={each.updated_at} /> },
        ]}
      />
      {deleting && (
        <ConfirmMany
          rows={deleting}
          title={({ length }) => `Delete ${plural(length, 'conversation')}?`}
          action={({ length }) => `Delete ${plural(length, 'conversation')}`}
          act={({ id }) =>
            api
              .delete('/api/v1/conversations/{conversation_id}', { path: { conversation_id: id } })
              .catch(unlessGone)
          }
          said={(count) => `${plural(count, 'conversation')} deleted.`}
          onEnded={rows.reload}
          onClose={() => {
            setDeleting(undefined);
          }}
        >
          {() => <p>Their questions, answers and ratings go with them. This cannot be undone.</p>}
        </ConfirmMany>
      )}
      {erasing !== undefined && (
        <Confirm
          title={`Erase ${erasing}?`}
          action="Erase conversations"
          phrase={erasing}
          onClose={() => {
            setErasing(undefined);
          }}
          onConfirm={async () => {
            await api.delete('/api/v1/kbs/{kb_id}/conversations', {
              path: { kb_id: kb.id },
              query: { end_user_id: erasing },
            });
            notify(`The conversations of ${erasing} are erased.`);
            rows.reload();
          }}
        >
          <p>
            All conversations of this end user in {kb.name} are deleted, with their questions,
            answers and ratings. This cannot be undone.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** Converts the dates to the beginning and end of whole days in the reader's time zone. */
function toInstants({ from, to }: { from?: string; to?: string }) {
  const midnight = (date: string, days: number) => {
    const at = new Date(`${date}T00:00`);
    at.setDate(at.getDate() + days);
    return at.toISOString();
  };
  return {
    ...(from !== undefined && { from: midnight(from, 0) }),
    ...(to !== undefined && { to: midnight(to, 1) }),
  };
}
