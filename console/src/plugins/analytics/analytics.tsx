import { useMemo } from 'preact/hooks';
import { Link } from '../../routing.js';
import type { Figures } from '../../api.js';
import { Empty, Loading, number, percent, Time } from '../../components/basics.js';
import { Bars } from '../../components/bars.js';
import { Chart } from '../../components/chart.js';
import { EnvironmentFilter } from '../../components/environment-filter.js';
import { PageHeader } from '../../components/page-header.js';
import { lastDays, PeriodFilter, PERIODS } from '../../components/period-filter.js';
import { Table } from '../../components/table.js';
import { useLoad, useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { useFilter } from '../../search-params.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { StaleDocuments } from '../document-versions/stale-documents.js';

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function AnalyticsPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const mayCurate = useShared().isRunning('curated-answers');
  const [{ days = '30', environment }, setParams] = useFilter(['days', 'environment']);
  const [, , interval] = PERIODS.find(([value]) => value === days) ?? PERIODS[2];
  const period = {
    ...lastDays(days),
    timezone: ZONE,
    ...((environment === 'live' || environment === 'test') && ({ environment } as const)),
  };
  const path = { kb_id: kb.id };
  const key = `${kb.id} ${days} ${environment ?? ''} ${period.to}`;
  const report = useLoad(
    (api, signal) =>
      api.get('/api/v1/kbs/{kb_id}/analytics', { path, query: { ...period, interval }, signal }),
    `report ${key}`,
  );
  const unanswered = usePagedRows(
    (api, page, signal) =>
      api.get('/api/v1/kbs/{kb_id}/analytics/unanswered', {
        path,
        query: { ...page, ...period },
        signal,
      }),
    `unanswered ${key}`,
    'question_',
  );
  const documents = usePagedRows(
    (api, page, signal) =>
      api.get('/api/v1/kbs/{kb_id}/analytics/top-documents', {
        path,
        query: { ...page, ...period },
        signal,
      }),
    `top ${key}`,
    'document_',
  );
  const isAsked = report.value && 'totals' in report.value && report.value.totals.chats > 0;
  const series = report.value && 'series' in report.value ? report.value.series : undefined;
  const chart = useMemo(
    () =>
      series && {
        times: series.map(({ date }) => new Date(date)),
        requests: series.map(({ date, answered, unanswered, queries }) => ({
          at: new Date(date),
          counts: [answered, unanswered, queries],
        })),
        latencies: [
          {
            label: 'Median (ms)',
            values: series.map(({ latency_p50_ms }) => latency_p50_ms),
            color: '--series-1',
          },
          {
            label: '95th percentile (ms)',
            values: series.map(({ latency_p95_ms }) => latency_p95_ms),
            color: '--series-3',
          },
        ],
      },
    [series],
  );
  return (
    <>
      <PageHeader title="Analytics" lead="What was asked, how much was answered, and how fast." />
      <form class="filters">
        <PeriodFilter
          value={days}
          onChange={(days) => {
            setParams({ days, environment });
          }}
        />
        <EnvironmentFilter
          value={environment}
          onChange={(environment) => {
            setParams({ days, environment });
          }}
        />
      </form>
      {!report.value && <Loading error={report.error} />}
      {report.value && 'totals' in report.value && <Totals totals={report.value.totals} />}
      {chart && (
        <>
          <Bars
            label="Requests"
            names={['answered', 'not answered', 'searches']}
            rows={chart.requests}
            areHours={interval === 'hour'}
          />
          <Chart
            title="Time to answer"
            times={chart.times}
            lines={chart.latencies}
            empty="Nothing was answered in this time."
          />
        </>
      )}
      <h2>Not answered</h2>
      <Table
        caption="Questions without an answer"
        rows={unanswered}
        getKey={({ question }) => question}
        empty={
          <Empty
            title={isAsked ? 'Every question was answered' : 'Nothing was asked in this time'}
          />
        }
        columns={[
          {
            name: 'Question',
            cell: ({ question }) => (
              <Link
                href={`/kbs/${kb.id}/playground?question=${encodeURIComponent(question)}`}
                class="question-cell"
                dir="auto"
              >
                {question}
              </Link>
            ),
          },
          { name: 'Times', kind: 'numeric', cell: ({ count }) => number(count) },
          { name: 'Last', kind: 'short', cell: ({ last_asked_at }) => <Time at={last_asked_at} /> },
          ...(mayChange && mayCurate
            ? [
                {
                  name: 'Actions',
                  kind: 'actions' as const,
                  cell: ({ question }: { question: string }) => (
                    <Link
                      href={`/kbs/${kb.id}/curated-answers?question=${encodeURIComponent(question)}`}
                    >
                      Write the answer
                    </Link>
                  ),
                },
              ]
            : []),
        ]}
      />
      <h2>Documents that answers cite</h2>
      <Table
        caption="Documents"
        rows={documents}
        getKey={({ document_id }) => document_id}
        empty={<Empty title="No answer has cited a document yet" />}
        columns={[
          {
            name: 'Document',
            cell: ({ document_id, title }) => (
              <Link href={`/kbs/${kb.id}/documents/${document_id}`}>{title}</Link>
            ),
          },
          { name: 'Answers', kind: 'numeric', cell: ({ count }) => number(count) },
        ]}
      />
      <StaleDocuments kbId={kb.id} period={period} />
    </>
  );
}

function Totals({ totals }: { totals: Figures }) {
  const asked = totals.answered + totals.unanswered;
  const facts: [string, string][] = [
    ['Searches', number(totals.queries)],
    ['Questions', number(totals.chats)],
    ['Answered', percent(asked === 0 ? null : totals.answered / asked)],
    ['Small talk', number(totals.small_talk)],
    ['Satisfied', percent(totals.satisfaction_rate)],
    ['End users', number(totals.end_users)],
    ['Refused', number(totals.refused)],
    ['Tokens', number(totals.prompt_tokens + totals.completion_tokens)],
  ];
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
