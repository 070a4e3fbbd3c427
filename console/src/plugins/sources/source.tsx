import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { ConnectedSource, SourceRun } from '../../api.js';
import { Alert, Loading, number, plural, Time } from '../../components/basics.js';
import { Confirm } from '../../components/dialog.js';
import { PageHeader } from '../../components/page-header.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { useChange, useLoad, usePolling, useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { Link } from '../../routing.js';
import { formatAddress, getForm, scheduleWords } from './source-forms.js';
import { readConfirmation, runWords, SourceState } from './source-words.js';
import { EndSourceDialog } from './end-source.js';
import { OikbCommand } from './oikb-command.js';
import { SourceDialog } from './source-form.js';
import { Reason, SourceRuns } from './source-runs.js';

const POLL_MS = 1000;
/** While nothing runs, a schedule may begin a run. */
const IDLE_POLL_MS = 5000;

type Asking = 'change' | 'end' | 'confirm';

export function SourcePage({ id }: { id: string }) {
  const { kb, mayChange, reload: reloadKnowledgeBase } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [, go] = useLocation();
  const [asking, setAsking] = useState<Asking>();
  const path = { source_id: id };
  const source = useLoad(
    (api, signal) => api.get('/api/v1/sources/{source_id}', { path, signal }),
    `source ${id}`,
  );
  const runs = usePagedRows<SourceRun>(
    (api, query, signal) => api.get('/api/v1/sources/{source_id}/runs', { path, query, signal }),
    `runs ${id}`,
  );
  const newest = runs.page === 1 ? runs.value?.[0] : undefined;
  const isRunning = newest?.status === 'running';
  usePolling(runs, true, isRunning ? POLL_MS : IDLE_POLL_MS);
  useEffect(() => {
    source.reload();
    reloadKnowledgeBase();
  }, [newest?.id, isRunning]);
  const run = useChange(async (body: { preview?: boolean; confirm?: boolean }) => {
    await api.post('/api/v1/sources/{source_id}/run', { path, body });
    runs.reload();
  });
  const cancel = useChange(async () => {
    await api.post('/api/v1/sources/{source_id}/cancel', { path });
    runs.reload();
  });
  const patchState = (state: 'active' | 'paused') =>
    api.patch('/api/v1/sources/{source_id}', { path, body: { state } });
  const setState = useChange(async (state: 'active' | 'paused') => {
    await patchState(state);
    notify(state === 'paused' ? 'The source is paused.' : 'The source runs again.', {
      undo: () => patchState(state === 'paused' ? 'active' : 'paused'),
    });
    source.reload();
    runs.reload();
  });
  const close = () => {
    setAsking(undefined);
  };
  if (!source.value) return <Loading error={source.error} />;
  const askingRun = runs.value?.find(({ status }) => status === 'needs_confirmation');
  const { deletes, holds, unmatched } = readConfirmation(askingRun?.errors ?? []);
  // Viewers do not get the reasons.
  const asksToDelete = deletes || !holds;
  const { state, name, type } = source.value;
  const { isRunOutside = false } = getForm(type);
  const sourcesPath = `/kbs/${kb.id}/sources`;
  return (
    <>
      <PageHeader title={name} up={{ href: sourcesPath, label: 'Sources' }}>
        {mayChange && (
          <>
            {isRunOutside ? null : isRunning ? (
              <button type="button" onClick={() => void cancel.run()}>
                Cancel the run
              </button>
            ) : (
              <>
                <button type="button" onClick={() => void run.run({ preview: true })}>
                  Preview
                </button>
                <button type="button" class="primary" onClick={() => void run.run({})}>
                  Run now
                </button>
              </>
            )}
            <button
              type="button"
              onClick={() => void setState.run(state === 'paused' ? 'active' : 'paused')}
            >
              {state === 'paused' ? 'Resume' : 'Pause'}
            </button>
            <button
              type="button"
              onClick={() => {
                setAsking('change');
              }}
            >
              Change
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => {
                setAsking('end');
              }}
            >
              End…
            </button>
          </>
        )}
      </PageHeader>
      <Facts source={source.value} kbId={kb.id} />
      {state === 'needs_confirmation' && !isRunning && (
        <div class="alert">
          {asksToDelete && (
            <p>
              The last run would have deleted more than a tenth of the documents, so it{' '}
              {isRunOutside ? 'deleted' : 'changed'} nothing.
            </p>
          )}
          {holds && <HeldBack message={holds.message} unmatched={unmatched} />}
          {mayChange && (
            <button
              type="button"
              class="danger"
              onClick={() => {
                setAsking('confirm');
              }}
            >
              {holds ? 'Confirm the run…' : 'Let it delete them…'}
            </button>
          )}
        </div>
      )}
      {isRunOutside && mayChange && <OikbCommand sourceId={id} />}
      {newest && <Progress run={newest} isRunOutside={isRunOutside} />}
      <Alert error={run.error ?? cancel.error ?? setState.error} />
      <SourceRuns rows={runs} isRunOutside={isRunOutside} />
      {asking === 'change' && (
        <SourceDialog
          kbId={kb.id}
          source={source.value}
          onClose={close}
          onSaved={() => {
            close();
            notify('The source is changed.');
            source.reload();
          }}
        />
      )}
      {asking === 'confirm' && (
        <Confirm
          title={asksToDelete ? 'Delete what is gone at the source?' : 'Open what is held back?'}
          action={isRunOutside ? 'Let it delete' : asksToDelete ? 'Run and delete' : 'Run and open'}
          onClose={close}
          onConfirm={async () => {
            await api.post('/api/v1/sources/{source_id}/run', { path, body: { confirm: true } });
            runs.reload();
          }}
        >
          {asksToDelete && (
            <p>
              {isRunOutside ? 'The next run of oikb' : 'This'} deletes{' '}
              {plural(askingRun?.counts.deleted ?? 0, 'document')} and cannot be undone. If they
              should stay, fix the source and run it again instead.
            </p>
          )}
          {holds && (
            <p>
              Documents that are held back will be read as the other rules of the source say, or by
              everyone where there is none. If a path or a name is wrong, or a file .latchkey.yml is
              missing, correct that and run the source again instead.
            </p>
          )}
        </Confirm>
      )}
      {asking === 'end' && (
        <EndSourceDialog
          source={source.value}
          onClose={close}
          onEnded={() => {
            notify('The source is ended.');
            reloadKnowledgeBase();
            go(sourcesPath);
          }}
        />
      )}
    </>
  );
}

/** Lists the rules that may be meant for other documents, and explains the effect. */
function HeldBack({ message, unmatched }: { message: string; unmatched: SourceRun['errors'] }) {
  return (
    <>
      <p>{message}</p>
      <ul>
        {unmatched.map((error) => (
          <li key={`${error.key ?? ''} ${error.message}`}>
            <Reason error={error} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Facts({ source, kbId }: { source: ConnectedSource; kbId: string }) {
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <SourceState state={source.state} />
        <Link href={`/kbs/${kbId}/documents?source_id=${source.id}`}>Its documents</Link>
      </dd>
      <dt>{getForm(source.type).label}</dt>
      <dd>{formatAddress(source)}</dd>
      <dt>Schedule</dt>
      <dd>
        {getForm(source.type).isRunOutside ? 'when oikb runs' : scheduleWords(source.schedule)}
        {source.next_run_at !== null && (
          <>
            , next <Time at={source.next_run_at} />
          </>
        )}
      </dd>
      <dt>Synced</dt>
      <dd>
        <Time at={source.last_synced_at} />
      </dd>
      <dt>Deletions</dt>
      <dd>
        {source.on_delete === 'delete'
          ? 'what is deleted there is deleted here'
          : 'what is deleted there stays here'}
      </dd>
    </dl>
  );
}

/** The progress of the newest run, or its result. */
function Progress({ run, isRunOutside }: { run: SourceRun; isRunOutside: boolean }) {
  if (run.status !== 'running') return <p role="status">{runWords(run, isRunOutside)}</p>;
  const { added, changed, deleted, unchanged, failed } = run.counts;
  const done = added + changed + unchanged + failed;
  const words =
    done + deleted === 0
      ? `${plural(run.listed, 'document')} listed so far.`
      : `${number(done)} of ${plural(run.listed, 'document')}, of which ${number(added)} added and ${number(changed)} changed.`;
  return (
    <p>
      <progress
        aria-label="Progress of the run"
        max={Math.max(1, run.listed)}
        {...(done > 0 && { value: done })}
      />{' '}
      {run.preview && 'Preview: '}
      {words}
    </p>
  );
}
