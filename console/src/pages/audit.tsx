import type { AuditEvent } from '../api.js';
import { Empty, Time } from '../components/basics.js';
import { PageHeader } from '../components/page-header.js';
import { SearchFilter } from '../components/search-filter.js';
import { Table } from '../components/table.js';
import { type PagedRows, usePagedRows } from '../paging.js';
import { useFilter } from '../search-params.js';
import { useTitle } from '../title.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';

type Filter = Partial<Record<'actor' | 'action', string>>;

/** The audit events of a knowledge base. */
export function AuditPage() {
  const { kb } = useKnowledgeBase();
  const [filter, setFilter] = useFilter(['actor', 'action']);
  const rows = usePagedRows<AuditEvent>(
    (api, page, signal) =>
      api.get('/api/v1/kbs/{kb_id}/audit-events', {
        path: { kb_id: kb.id },
        query: { ...page, ...(filter as object) },
        signal,
      }),
    `events ${kb.id} ${JSON.stringify(filter)}`,
  );
  return (
    <>
      <PageHeader title="Audit" lead="Who has changed what, newest first." />
      <Events rows={rows} filter={filter} onFilter={setFilter} />
    </>
  );
}

/** The audit events of all knowledge bases that the user owns, or owned when they were deleted. */
export function EventsPage() {
  useTitle('Audit');
  const [filter, setFilter] = useFilter(['actor', 'action']);
  const rows = usePagedRows<AuditEvent>(
    (api, page, signal) =>
      api.get('/api/v1/audit-events', { query: { ...page, ...(filter as object) }, signal }),
    `events ${JSON.stringify(filter)}`,
  );
  return (
    <>
      <PageHeader
        title="Audit"
        lead="What was changed in the knowledge bases that you own, or owned when they were deleted."
      />
      <Events rows={rows} filter={filter} onFilter={setFilter} />
    </>
  );
}

function Events(props: {
  rows: PagedRows<AuditEvent>;
  filter: Filter;
  onFilter: (filter: Filter, options?: { replace: boolean }) => void;
}) {
  const { rows, filter, onFilter } = props;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <form
        class="filters"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        <SearchFilter
          label="Who"
          value={filter.actor}
          total={rows.isLoading ? undefined : rows.total}
          onChange={(actor, options) => {
            onFilter({ ...filter, actor }, options);
          }}
        />
        <SearchFilter
          label="Action"
          placeholder="Action, such as api_key.revoked"
          value={filter.action}
          total={rows.isLoading ? undefined : rows.total}
          onChange={(action, options) => {
            onFilter({ ...filter, action }, options);
          }}
        />
      </form>
      <Table
        caption="Changes"
        rows={rows}
        getKey={({ id }) => id}
        empty={
          <Empty title={isFiltered ? 'No change fits' : 'Nothing was changed yet'}>
            {isFiltered && (
              <button
                type="button"
                onClick={() => {
                  onFilter({});
                }}
              >
                Show all
              </button>
            )}
          </Empty>
        }
        columns={[
          { name: 'When', kind: 'short', cell: (event) => <Time at={event.created_at} /> },
          { name: 'Who', cell: (event) => event.actor },
          { name: 'Action', kind: 'short', cell: (event) => <code>{event.action}</code> },
          {
            name: 'What',
            cell: (event) => (
              <>
                {Object.entries(event.details).map(
                  ([name, value]) =>
                    value !== null && (
                      <div key={name}>
                        <span class="quiet">{name.replaceAll('_', ' ')}:</span>{' '}
                        <bdi>{formatDetail(value)}</bdi>
                      </div>
                    ),
                )}
                <code class="quiet">{event.target_id}</code>
              </>
            ),
          },
        ]}
      />
    </>
  );
}

const formatDetail = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map(formatDetail).join(', ')
      : JSON.stringify(value);
