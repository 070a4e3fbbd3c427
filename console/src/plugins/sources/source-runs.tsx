import type { SourceRun } from '../../api.js';
import { Empty, number, plural, Time } from '../../components/basics.js';
import { Table } from '../../components/table.js';
import type { PagedRows } from '../../paging.js';
import { RunStatus } from './source-words.js';

const COUNTS = ['added', 'changed', 'deleted', 'unchanged', 'failed'] as const;

/** The runs of a source, with the reasons of failures. */
export function SourceRuns({
  rows,
  isRunOutside,
}: {
  rows: PagedRows<SourceRun>;
  isRunOutside: boolean;
}) {
  return (
    <Table
      caption="Runs"
      rows={rows}
      getKey={({ id }) => id}
      empty={
        <Empty title="No runs yet">
          <p>
            {isRunOutside
              ? 'Each run of oikb is shown here while it goes on.'
              : 'A preview counts what the first run would load, and changes nothing.'}
          </p>
        </Empty>
      }
      columns={[
        {
          name: 'Started',
          cell: (run) => (
            <>
              <Time at={run.started_at} /> {run.preview && <span class="quiet">preview</span>}
            </>
          ),
        },
        { name: 'Result', cell: (run) => <Result run={run} /> },
        { name: 'Took', kind: 'short', cell: formatDuration },
        ...COUNTS.map((name) => ({
          name: `${name[0]?.toUpperCase()}${name.slice(1)}`,
          kind: 'numeric' as const,
          cell: ({ counts }: SourceRun) => number(counts[name]),
        })),
      ]}
    />
  );
}

function Result({ run: { status, errors } }: { run: SourceRun }) {
  const [only] = errors;
  return (
    <>
      <RunStatus status={status} />
      {errors.length === 1 && only ? (
        <Reason error={only} />
      ) : (
        errors.length > 1 && (
          <details>
            <summary>{plural(errors.length, 'reason')}</summary>
            <ul>
              {errors.map((error, index) => (
                <li key={index}>
                  <Reason error={error} />
                </li>
              ))}
            </ul>
          </details>
        )
      )}
    </>
  );
}

export const Reason = ({ error: { key, message } }: { error: SourceRun['errors'][number] }) => (
  <span>
    {key !== null && (
      <>
        <code>{key}</code>:{' '}
      </>
    )}
    {message}
  </span>
);

function formatDuration({ started_at, ended_at }: SourceRun): string {
  if (ended_at === null) return '';
  const seconds = Math.max(0, (Date.parse(ended_at) - Date.parse(started_at)) / 1000);
  return seconds < 90 ? `${seconds.toFixed(0)} s` : `${(seconds / 60).toFixed(0)} min`;
}
