import { useLocation } from 'wouter-preact';
import type { ConnectedSource } from '../../api.js';
import { Empty, Time } from '../../components/basics.js';
import { Table } from '../../components/table.js';
import { PageHeader } from '../../components/page-header.js';
import { useDialogInAddress } from '../../search-params.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { usePolling, useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { Link } from '../../routing.js';
import { formatAddress, getForm, scheduleWords } from './source-forms.js';
import { SourceState } from './source-words.js';
import { SourceDialog } from './source-form.js';

const POLL_MS = 10_000;

export function SourcesPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { notify } = useShared();
  const [, go] = useLocation();
  const [connecting, setConnecting] = useDialogInAddress('new');
  const rows = usePagedRows<ConnectedSource>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/sources', { path: { kb_id: kb.id }, query, signal }),
    `sources ${kb.id}`,
  );
  usePolling(rows, true, POLL_MS);
  const connect = mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setConnecting(true);
      }}
    >
      Connect a source
    </button>
  );
  return (
    <>
      <PageHeader
        title="Sources"
        lead="Places where documents already are. The knowledge base keeps in step with them."
      >
        {rows.value && rows.value.length > 0 && connect}
      </PageHeader>
      <Table
        caption="Sources"
        rows={rows}
        getKey={({ id }) => id}
        empty={
          <Empty title="No sources yet">
            <p>
              Connect a website, a bucket, a repository, a folder, a wiki, a Nextcloud or a mailbox;
              or what oikb reads, 46 kinds in all.
            </p>
            {connect}
          </Empty>
        }
        columns={[
          {
            name: 'Name',
            cell: (source) => (
              <>
                <Link href={`/kbs/${kb.id}/sources/${source.id}`}>{source.name}</Link>
                <div class="quiet">
                  {[getForm(source.type).label, formatAddress(source)].filter(Boolean).join(': ')}
                </div>
              </>
            ),
          },
          { name: 'State', cell: ({ state }) => <SourceState state={state} /> },
          {
            name: 'Schedule',
            cell: ({ type, schedule }) =>
              getForm(type).isRunOutside ? 'when oikb runs' : scheduleWords(schedule),
          },
          {
            name: 'Synced',
            kind: 'short',
            cell: ({ last_synced_at }) => <Time at={last_synced_at} />,
          },
        ]}
      />
      {connecting && mayChange && (
        <SourceDialog
          kbId={kb.id}
          onClose={() => {
            setConnecting(false);
          }}
          onSaved={({ id }) => {
            notify('The source is connected. Nothing is loaded yet.');
            go(`/kbs/${kb.id}/sources/${id}`, { replace: true });
          }}
        />
      )}
    </>
  );
}
