import { useState } from 'preact/hooks';
import { Day, Empty, number, Time } from '../../components/basics.js';
import { Table } from '../../components/table.js';
import { useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { Link } from '../../routing.js';

const AGES = [
  [90, '3 months'],
  [180, '6 months'],
  [365, 'a year'],
  [730, '2 years'],
] as const;

/** Old documents, by the answers of a period that cite them. */
export function StaleDocuments(props: {
  kbId: string;
  period: { from: string; to: string; timezone: string; environment?: 'live' | 'test' };
}) {
  const { kbId, period } = props;
  const hasAnswers = useShared().isRunning('curated-answers');
  const [days, setDays] = useState(180);
  const rows = usePagedRows(
    (api, page, signal) =>
      api.get('/api/v1/kbs/{kb_id}/stale-documents', {
        path: { kb_id: kbId },
        query: { ...page, ...period, not_updated_days: days },
        signal,
      }),
    `stale ${kbId} ${days} ${JSON.stringify(period)}`,
    'stale_',
  );
  return (
    <>
      <h2>Old documents that answers rest on</h2>
      <form class="filters">
        <select
          aria-label="Not updated for"
          value={days}
          onChange={(event) => {
            setDays(Number(event.currentTarget.value));
          }}
        >
          {AGES.map(([value, words]) => (
            <option key={value} value={value}>
              Not updated for {words}
            </option>
          ))}
        </select>
      </form>
      <Table
        caption="Old documents"
        rows={rows}
        getKey={({ document_id }) => document_id}
        empty={<Empty title="No answer of this time rests on a document that old" />}
        columns={[
          {
            name: 'Document',
            cell: ({ document_id, title }) => (
              <Link href={`/kbs/${kbId}/documents/${document_id}`}>{title}</Link>
            ),
          },
          { name: 'Answers', kind: 'numeric', cell: ({ count }) => number(count) },
          { name: 'Updated', kind: 'short', cell: (each) => <Time at={each.updated_at} /> },
          {
            name: 'Valid until',
            kind: 'short',
            cell: (each) => (each.valid_until === null ? '–' : <Day at={each.valid_until} />),
          },
          ...(hasAnswers
            ? [
                {
                  name: 'Curated answers to review',
                  cell: ({ curated_answers }: { curated_answers: readonly Naming[] }) =>
                    curated_answers.map(({ id, review_at }) => (
                      <div key={id}>
                        <Link href={`/kbs/${kbId}/curated-answers`}>
                          {review_at === null ? 'no date' : <Day at={review_at} />}
                        </Link>
                      </div>
                    )),
                },
              ]
            : []),
        ]}
      />
    </>
  );
}

interface Naming {
  readonly id: string;
  readonly review_at: string | null;
}
