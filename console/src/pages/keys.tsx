import { useRef, useState } from 'preact/hooks';
import type { ApiKey, IssuedApiKey } from '../api.js';
import { Badge, Empty, Time } from '../components/basics.js';
import { scopeWords } from '../components/scopes.js';
import { EnvironmentFilter } from '../components/environment-filter.js';
import { Table } from '../components/table.js';
import { Sparkline } from '../components/usage.js';
import { USE_DAYS, useDailyUse } from '../daily-use.js';
import { usePagedRows } from '../paging.js';
import { useFilter, useSearchParams } from '../search-params.js';
import { useTripwires } from '../tripwires.js';
import { IssueDialog, SecretDialog } from './issue-key.js';
import { KeyDialog } from './key.js';
import { KeyState } from './key-facts.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';

const UNUSED = Array.from({ length: USE_DAYS }, () => 0);

/** Of a key that was pasted only the prefix: the address of a page is kept in histories and logs. */
const withoutSecret = (text: string) =>
  /rag_(?:live|test|admin)_[0-9A-Za-z]{10}/.exec(text)?.[0] ?? text;

export function KeysPage() {
  const { kb, mayChange, isOwner } = useKnowledgeBase();
  const [filter, setFilter] = useFilter(['active', 'environment', 'q']);
  const search = useRef<HTMLInputElement>(null);
  const [{ key: opened }, open] = useSearchParams(['key']);
  const [issuing, setIssuing] = useState(false);
  const [issued, setIssued] = useState<IssuedApiKey>();
  const use = useDailyUse(kb.id);
  const daysOf = (id: string) => use && (use.get(id) ?? UNUSED);
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
  const issue = mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setIssuing(true);
      }}
    >
      New API key
    </button>
  );
  return (
    <>
      <div class="heading">
        <p>An API key lets a program ask this knowledge base, and nothing else.</p>
        {(hasRows || isFiltered) && issue}
      </div>
      {(hasRows || isFiltered) && (
        <form
          key={filter.q}
          class="filters"
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            setFilter({ ...filter, q: withoutSecret(search.current?.value.trim() ?? '') });
          }}
        >
          <input
            ref={search}
            type="search"
            aria-label="Search names and prefixes"
            placeholder="Search names and prefixes"
            autocomplete="off"
            maxLength={255}
            defaultValue={filter.q ?? ''}
          />
          <button>Search</button>
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
      <Table
        caption="API keys"
        rows={rows}
        keyOf={({ id }) => id}
        empty={
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
        }
        columns={[
          {
            name: 'Name',
            cell: (key) => (
              <button
                type="button"
                class="link"
                onClick={() => {
                  open({ key: key.id });
                }}
              >
                {key.name}
              </button>
            ),
          },
          { name: 'Prefix', kind: 'short', cell: (key) => <code>{key.prefix}…</code> },
          {
            name: 'State',
            kind: 'short',
            cell: (key) => (
              <>
                <KeyState apiKey={key} />
                {tried.has(key.id) && <Badge kind="failed">tried since</Badge>}
              </>
            ),
          },
          { name: 'Scopes', cell: scopeWords },
          {
            name: `${USE_DAYS} days`,
            kind: 'short',
            cell: (key) => {
              const days = daysOf(key.id);
              return days && <Sparkline days={days} />;
            },
          },
          { name: 'Last used', kind: 'short', cell: (key) => <Time at={key.last_used_at} /> },
          { name: 'Expires', kind: 'short', cell: (key) => <Time at={key.expires_at} /> },
        ]}
      />
      {issuing && (
        <IssueDialog
          kbId={kb.id}
          onClose={() => {
            setIssuing(false);
          }}
          onIssued={(key) => {
            setIssuing(false);
            setIssued(key);
            rows.reload();
          }}
        />
      )}
      {opened !== undefined && (
        <KeyDialog
          id={opened}
          ownerName={kb.name}
          mayChange={mayChange}
          {...(isOwner && { ownedKbId: kb.id })}
          days={daysOf(opened)}
          onClose={() => {
            open({});
          }}
          onChange={rows.reload}
          onIssued={(key) => {
            open({});
            setIssued(key);
            rows.reload();
          }}
        />
      )}
      {issued && (
        <SecretDialog
          title={`The secret of ${issued.name}`}
          secret={issued.api_key}
          onClose={() => {
            setIssued(undefined);
          }}
        >
          <p>
            Put it into the secret store of the program that asks. Never into its source, a page, or
            a message.
          </p>
        </SecretDialog>
      )}
    </>
  );
}
