import type { ApiKey } from '../api.js';
import { Badge, Empty } from '../components/basics.js';
import { EnvironmentFilter } from '../components/environment-filter.js';
import { PageHeader } from '../components/page-header.js';
import { SearchFilter } from '../components/search-filter.js';
import { Sparkline } from '../components/usage.js';
import { USE_DAYS, useDailyUse } from '../daily-use.js';
import { usePagedRows } from '../paging.js';
import { useFilter } from '../search-params.js';
import { useTripwires } from '../tripwires.js';
import { IssueDialog } from './issue-key.js';
import { KeyState } from './key-facts.js';
import { KeyList } from './key-list.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';

const UNUSED = Array.from({ length: USE_DAYS }, () => 0);

export function KeysPage() {
  const { kb, mayChange, isOwner } = useKnowledgeBase();
  const [filter, setFilter] = useFilter(['active', 'environment', 'q']);
  const use = useDailyUse(kb.id);
  const getDays = (id: string) => use && (use.get(id) ?? UNUSED);
  const rows = usePagedRows<ApiKey>(
    (api, page, signal) =>
      api.get('/api/v1/kbs/{kb_id}/api-keys', {
        path: { kb_id: kb.id },
        query: { ...page, ...(filter as object) },
        signal,
      }),
    `keys ${kb.id} ${JSON.stringify(filter)}`,
  );
  const tried = useTripwires(rows.value);
  const isFiltered = Object.keys(filter).length > 0;
  const hasRows = rows.value !== undefined && rows.value.length > 0;
  return (
    <KeyList
      caption="API keys"
      rows={rows}
      ownerName={kb.name}
      mayChange={mayChange}
      ownedKbId={isOwner ? kb.id : undefined}
      newKey="Create API key"
      isConnected
      issueDialog={(issuing) => <IssueDialog kbId={kb.id} {...issuing} />}
      heading={(issue) => (
        <>
          <PageHeader
            title="API keys"
            lead="An API key lets a program ask this knowledge base, and nothing else."
          >
            {(hasRows || isFiltered) && issue}
          </PageHeader>
          {(hasRows || isFiltered) && (
            <form
              class="filters"
              role="search"
              onSubmit={(event) => {
                event.preventDefault();
              }}
            >
              <SearchFilter
                label="Search names and prefixes"
                maxLength={255}
                value={filter.q}
                total={rows.isLoading ? undefined : rows.total}
                onChange={(q, options) => {
                  setFilter({ ...filter, q }, options);
                }}
              />
              <select
                aria-label="State"
                value={filter.active ?? ''}
                onChange={(event) => {
                  setFilter({ ...filter, active: event.currentTarget.value });
                }}
              >
                <option value="">Any state</option>
                <option value="true">Active</option>
                <option value="false">Revoked or expired</option>
              </select>
              <EnvironmentFilter
                value={filter.environment}
                onChange={(environment) => {
                  setFilter({ ...filter, environment });
                }}
              />
            </form>
          )}
        </>
      )}
      empty={(issue) => (
        <Empty title={isFiltered ? 'No key fits' : 'No API keys yet'}>
          {!isFiltered && (
            <>
              <p>
                Give each program a key of its own, so that you can stop one without the others.
              </p>
              {issue}
            </>
          )}
        </Empty>
      )}
      state={(key) => (
        <>
          <KeyState apiKey={key} />
          {tried.has(key.id) && <Badge kind="failed">tried since</Badge>}
        </>
      )}
      getDays={getDays}
      column={{
        name: `${USE_DAYS} days`,
        kind: 'short',
        cell: (key) => {
          const days = getDays(key.id);
          return days && <Sparkline days={days} />;
        },
      }}
      advice="Put it into the secret store of the program that asks. Never into its source, a page, or a message."
    />
  );
}
