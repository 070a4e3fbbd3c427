import { useLocation } from 'wouter-preact';
import type { Site } from '../../api.js';
import { Alert, Empty, RowAction } from '../../components/basics.js';
import { PlaceState, usageWords } from '../../components/place-state.js';
import { PageHeader } from '../../components/page-header.js';
import { Table } from '../../components/table.js';
import { useDialogInAddress } from '../../search-params.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { usePolling, useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { Link } from '../../routing.js';
import { SiteDialog } from './site-form.js';
import { useSitePause } from './use-site-pause.js';

const POLL_MS = 10_000;

export function SitesPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { notify } = useShared();
  const [, go] = useLocation();
  const [isCreating, setCreating] = useDialogInAddress('new');
  const rows = usePagedRows<Site>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/sites', { path: { kb_id: kb.id }, query, signal }),
    `sites ${kb.id}`,
  );
  usePolling(rows, true, POLL_MS);
  const pause = useSitePause(rows.reload);
  const create = mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setCreating(true);
      }}
    >
      Create site
    </button>
  );
  return (
    <>
      <PageHeader title="Sites" lead="Your web pages, on which visitors ask this knowledge base.">
        {rows.value && rows.value.length > 0 && create}
      </PageHeader>
      <Table
        caption="Sites"
        rows={rows}
        getKey={({ id }) => id}
        empty={
          <Empty title="No sites yet">
            <p>
              One line of HTML puts a chat on your pages. Visitors need no key, and you set how many
              questions a day it answers.
            </p>
            {create}
          </Empty>
        }
        columns={[
          {
            name: 'Name',
            cell: ({ id, name, origins }) => (
              <>
                <Link href={`/kbs/${kb.id}/sites/${id}`} dir="auto">
                  {name}
                </Link>
                <div class="quiet">
                  <bdi>{origins.join(', ')}</bdi>
                </div>
              </>
            ),
            sortBy: ({ name }) => name,
          },
          { name: 'State', kind: 'short', cell: PlaceState },
          {
            name: 'Questions today',
            kind: 'short',
            cell: usageWords,
            sortBy: (site) => site.messages_today,
          },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (site) =>
              mayChange && (
                <RowAction
                  label={`${pause.action(site)} ${site.name}`}
                  onPress={() => void pause.toggle(site)}
                >
                  {pause.action(site)}
                </RowAction>
              ),
          },
        ]}
      />
      <Alert error={pause.error} />
      {isCreating && mayChange && (
        <SiteDialog
          kbId={kb.id}
          onClose={() => {
            setCreating(false);
          }}
          onSaved={({ id }) => {
            notify('The site is created. Put it on your pages.');
            go(`/kbs/${kb.id}/sites/${id}`, { replace: true });
          }}
        />
      )}
    </>
  );
}
