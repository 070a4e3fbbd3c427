import { useLocation } from 'wouter-preact';
import type { Channel } from '../../api.js';
import { Alert, Empty, RowAction, Time } from '../../components/basics.js';
import { PageHeader } from '../../components/page-header.js';
import { usageWords } from '../../components/place-state.js';
import { Table } from '../../components/table.js';
import { useDialogInAddress } from '../../search-params.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { usePolling, useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { Link } from '../../routing.js';
import { ChannelDialog } from './channel-form.js';
import { ChannelState } from './channel-state.js';
import { useChannelPause } from './use-channel-pause.js';
import '../../styles/places.css';

const POLL_MS = 10_000;

export function ChannelsPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { notify } = useShared();
  const [, go] = useLocation();
  const [isCreating, setCreating] = useDialogInAddress('new');
  const rows = usePagedRows<Channel>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/channels', { path: { kb_id: kb.id }, query, signal }),
    `channels ${kb.id}`,
  );
  usePolling(rows, true, POLL_MS);
  const pause = useChannelPause(rows.reload);
  const create = mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setCreating(true);
      }}
    >
      Create channel
    </button>
  );
  return (
    <>
      <PageHeader
        title="Channels"
        lead="Slack workspaces, whose people ask this knowledge base where they already talk."
      >
        {rows.value && rows.value.length > 0 && create}
      </PageHeader>
      <Table
        caption="Channels"
        rows={rows}
        getKey={({ id }) => id}
        empty={
          <Empty title="No channels yet">
            <p>People mention a bot in Slack, and it answers in the thread with its sources.</p>
            <ol class="setup">
              <li>Create the channel here. It only needs a name.</li>
              <li>Its page shows a manifest: create a Slack app from it.</li>
              <li>Install the app to your workspace.</li>
              <li>Copy two secrets of the app to the page of the channel.</li>
            </ol>
            {create}
          </Empty>
        }
        columns={[
          {
            name: 'Name',
            cell: ({ id, name, workspace }) => (
              <>
                <Link href={`/kbs/${kb.id}/channels/${id}`} dir="auto">
                  {name}
                </Link>
                {workspace && (
                  <div class="quiet">
                    Slack: <bdi>{workspace.name}</bdi>
                  </div>
                )}
              </>
            ),
            sortBy: ({ name }) => name,
          },
          { name: 'State', cell: (channel) => <ChannelState {...channel} /> },
          {
            name: 'Questions today',
            kind: 'short',
            cell: usageWords,
            sortBy: (channel) => channel.messages_today,
          },
          {
            name: 'Last event',
            kind: 'short',
            cell: ({ last_event_at }) => <Time at={last_event_at} />,
          },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (channel) =>
              mayChange && (
                <RowAction
                  label={`${pause.action(channel)} ${channel.name}`}
                  onPress={() => void pause.toggle(channel)}
                >
                  {pause.action(channel)}
                </RowAction>
              ),
          },
        ]}
      />
      <Alert error={pause.error} />
      {isCreating && mayChange && (
        <ChannelDialog
          kbId={kb.id}
          onClose={() => {
            setCreating(false);
          }}
          onSaved={({ id }) => {
            notify('The channel is created. Connect it to Slack.');
            go(`/kbs/${kb.id}/channels/${id}`, { replace: true });
          }}
        />
      )}
    </>
  );
}
