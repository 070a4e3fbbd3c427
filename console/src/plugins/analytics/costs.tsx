import type { CostRow, Costs } from '../../api.js';
import { Alert, Empty, Loading, number } from '../../components/basics.js';
import { EnvironmentFilter } from '../../components/environment-filter.js';
import { PageHeader } from '../../components/page-header.js';
import { lastDays, PeriodFilter } from '../../components/period-filter.js';
import { Table } from '../../components/table.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { useChange, useLoad, useShared } from '../../load.js';
import { openFile } from '../../open-file.js';
import { toOnePage } from '../../paging.js';
import { useFilter } from '../../search-params.js';

const GROUPS = [
  ['api_key', 'API key', 'By API key'],
  ['end_user', 'End user', 'By end user'],
  ['model', 'Model', 'By model'],
] as const;

const MONEY = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 });

/** The costs of answers, by the prices at their time. */
export function CostsPage() {
  const { kb } = useKnowledgeBase();
  const { api } = useShared();
  const [{ by, days = '30', environment }, setParams] = useFilter(['by', 'days', 'environment']);
  const [group, groupName] = GROUPS.find(([name]) => name === by) ?? GROUPS[0];
  const query = {
    ...lastDays(days),
    group_by: group,
    ...((environment === 'live' || environment === 'test') && ({ environment } as const)),
  };
  const report = useLoad(
    (api, signal) =>
      api.get('/api/v1/kbs/{kb_id}/costs', { path: { kb_id: kb.id }, query, signal }),
    `costs ${kb.id} ${JSON.stringify(query)}`,
  );
  const saving = useChange(async () => {
    openFile(await api.costsAsCsv(kb.id, query), { download: `costs-by-${group}.csv` });
  });
  const { value, error, reload } = report;
  return (
    <>
      <PageHeader title="Costs" lead="What answers have cost, by the prices of their time." />
      <form class="filters">
        <select
          aria-label="By"
          value={group}
          onChange={(event) => {
            setParams({ by: event.currentTarget.value, days, environment });
          }}
        >
          {GROUPS.map(([name, , words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
        <PeriodFilter
          value={days}
          onChange={(days) => {
            setParams({ by, days, environment });
          }}
        />
        <EnvironmentFilter
          value={environment}
          onChange={(environment) => {
            setParams({ by, days, environment });
          }}
        />
        <button type="button" disabled={saving.busy} onClick={() => void saving.run()}>
          Save as CSV
        </button>
      </form>
      <Alert error={saving.error} />
      {value ? <Totals totals={value.totals} /> : <Loading error={error} />}
      {value && (
        <Table
          caption={`Costs by ${groupName}`}
          rows={toOnePage({ value: value.data, error, reload })}
          getKey={(row) => row.api_key_id ?? row.end_user_id ?? row.model ?? ''}
          empty={<Empty title="Nothing was answered in this time" />}
          columns={[
            { name: groupName, cell: (row) => getName(row, group) },
            { name: 'Messages', kind: 'numeric', cell: ({ messages }) => number(messages) },
            {
              name: 'Tokens',
              kind: 'numeric',
              cell: (row) => number(row.prompt_tokens + row.completion_tokens),
            },
            { name: 'Cost', kind: 'numeric', cell: ({ cost }) => MONEY.format(cost) },
          ]}
        />
      )}
      {value?.has_more && <p class="quiet">There are more, of smaller costs: the CSV has them.</p>}
    </>
  );
}

function getName(row: CostRow, group: (typeof GROUPS)[number][0]): string {
  switch (group) {
    case 'api_key':
      return row.api_key_name ?? row.api_key_id ?? '';
    case 'end_user':
      return row.end_user_id ?? 'Nobody, or erased';
    case 'model':
      return row.model === 'extractive' ? 'without a model' : (row.model ?? '');
  }
}

function Totals({ totals }: Pick<Costs, 'totals'>) {
  const facts = [
    ['Messages', number(totals.messages)],
    ['Input tokens', number(totals.prompt_tokens)],
    ['Output tokens', number(totals.completion_tokens)],
    ['Cost', MONEY.format(totals.cost)],
  ] as const;
  return (
    <dl class="totals">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
