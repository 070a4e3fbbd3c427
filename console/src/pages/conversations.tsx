import { useRef, useState } from 'preact/hooks';
import { Link } from '../routing.js';
import type { Conversation } from '../api.js';
import { Badge, Empty, Time } from '../components/basics.js';
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
    'end_user_id',
    'answered',
    'rating',
    'environment',
    'from',
    'to',
  ]);
  const [erasing, setErasing] = useState<string>();
  const endUser = useRef<HTMLInputElement>(null);
  const rows = usePagedRows<Conversation>(
    (api, page, signal) =>
      api.get('/api/v1/kbs/{kb_id}/conversations', {
        path: { kb_id: kb.id },
        query: { ...page, ...(filter as object), ...instantsOf(filter) },
        signal,
      }),
    `conversations ${kb.id} ${JSON.stringify(filter)}`,
  );
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <PageHeader title="Conversations" lead="What people have asked with an API key." />
      <form
        key={filter.end_user_id}
        class="filters"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setFilter({ ...filter, end_user_id: endUser.current?.value.trim() || undefined });
        }}
      >
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
        keyOf={({ id }) => id}
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
              <p>What programs ask with an API key stands here; the playground keeps nothing.</p>
            )}
          </Empty>
        }
        columns={[
          {
            name: 'Last message',
            cell: (each) => (
              <Link href={`/kbs/${kb.id}/conversations/${each.id}`}>
                <Time at={each.updated_at} />
              </Link>
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
            name: 'Environment',
            kind: 'short',
            cell: (each) => <Badge kind="plain">{each.environment}</Badge>,
          },
          { name: 'Began', kind: 'short', cell: (each) => <Time at={each.created_at} /> },
        ]}
      />
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

/** Whole days of the reader. */
function instantsOf({ from, to }: { from?: string; to?: string }) {
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
