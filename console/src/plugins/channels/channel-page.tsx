import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Channel } from '../../api.js';
import { ConversationsLink } from '../../asked-at.js';
import { Alert, Loading, plural, Time } from '../../components/basics.js';
import { Confirm } from '../../components/dialog.js';
import { PageHeader } from '../../components/page-header.js';
import { PlaceUsage } from '../../components/place-state.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { useLoad, usePolling, useShared } from '../../load.js';
import { ChannelDialog } from './channel-form.js';
import { SecretsDialog } from './channel-secrets.js';
import { ChannelState } from './channel-state.js';
import { SlackSetup } from './slack-setup.js';
import { useChannelPause } from './use-channel-pause.js';
import '../../styles/places.css';

const POLL_MS = 5000;

export function ChannelPage({ id }: { id: string }) {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [, go] = useLocation();
  const [asking, setAsking] = useState<'change' | 'secrets' | 'delete'>();
  const path = { channel_id: id };
  const channel = useLoad(
    (api, signal) => api.get('/api/v1/channels/{channel_id}', { path, signal }),
    `channel ${id}`,
  );
  usePolling(channel, channel.error === undefined, POLL_MS);
  const pause = useChannelPause(channel.reload);
  const close = () => {
    setAsking(undefined);
  };
  const { value } = channel;
  if (!value) return <Loading error={channel.error} />;
  const channelsPath = `/kbs/${kb.id}/channels`;
  const saved = (said: string) => {
    close();
    notify(said);
    channel.reload();
  };
  return (
    <>
      <PageHeader title={value.name} up={{ href: channelsPath, label: 'Channels' }}>
        {mayChange && (
          <>
            <button type="button" onClick={() => void pause.toggle(value)}>
              {pause.action(value)}
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
                setAsking('delete');
              }}
            >
              Delete…
            </button>
          </>
        )}
      </PageHeader>
      <Alert error={pause.error} />
      <Facts channel={value} />
      {mayChange && (
        <SlackSetup
          channel={value}
          onSecrets={() => {
            setAsking('secrets');
          }}
        />
      )}
      {asking === 'change' && (
        <ChannelDialog
          kbId={kb.id}
          channel={value}
          onClose={close}
          onSaved={() => {
            saved('The channel is changed.');
          }}
        />
      )}
      {asking === 'secrets' && (
        <SecretsDialog
          channel={value}
          onClose={close}
          onSaved={({ workspace }) => {
            saved(workspace ? `Connected to ${workspace.name}.` : 'The secrets are stored.');
          }}
        />
      )}
      {asking === 'delete' && (
        <Confirm
          title={`Delete “${value.name}”?`}
          action="Delete channel"
          onClose={close}
          onConfirm={async () => {
            await api.delete('/api/v1/channels/{channel_id}', { path });
            notify('The channel is deleted.');
            go(channelsPath);
          }}
        >
          <p>
            The bot answers no more questions, and the secrets are deleted. What was asked stays in
            the inbox, and answers stay in Slack. Remove the app from the workspace too. This cannot
            be undone.
          </p>
        </Confirm>
      )}
    </>
  );
}

function Facts({ channel }: { channel: Channel }) {
  return (
    <dl class="facts">
      <dt>State</dt>
      <dd>
        <ChannelState {...channel} />
      </dd>
      <dt>Workspace</dt>
      <dd>
        {channel.workspace ? (
          <bdi>{channel.workspace.name}</bdi>
        ) : (
          <span class="quiet">none until the bot token is added</span>
        )}
      </dd>
      <dt>Questions today</dt>
      <dd>
        <PlaceUsage place={channel} />
      </dd>
      <dt>Conversations</dt>
      <dd>
        <ConversationsLink place={channel} />
      </dd>
      <dt>Last event</dt>
      <dd>
        <Time at={channel.last_event_at} />
      </dd>
      <dt>Each person</dt>
      <dd>{plural(channel.per_user_per_minute, 'question')} a minute</dd>
    </dl>
  );
}
