import type { Channel } from '../../api.js';
import { CopyButton } from '../../components/basics.js';
import { slackManifest } from './slack-manifest.js';

const APPS = 'https://api.slack.com/apps';

/** How a channel comes into a Slack workspace, step by step. */
export function SlackSetup({ channel, onSecrets }: { channel: Channel; onSecrets: () => void }) {
  const isConnected = channel.workspace !== null;
  const steps = (
    <ol class="setup">
      <li>
        Open{' '}
        <a href={APPS} target="_blank" rel="noopener">
          {APPS}
        </a>
        , press <strong>Create New App</strong>, then <strong>From a manifest</strong>, and choose
        your workspace.
      </li>
      <li>
        Choose JSON, replace what is there with this manifest, and create the app.
        <Manifest channel={channel} />
      </li>
      <li>
        Under <strong>Install App</strong>, install it to the workspace.
      </li>
      <li>
        Copy two secrets of the app to here: the <strong>Signing Secret</strong> under Basic
        Information, and the <strong>Bot User OAuth Token</strong> under OAuth &amp; Permissions.
        <p class="actions">
          <button type="button" class={isConnected ? '' : 'primary'} onClick={onSecrets}>
            {isConnected ? 'Replace the secrets' : 'Add the secrets'}
          </button>
        </p>
      </li>
      <li>
        Under <strong>Event Subscriptions</strong>, press <strong>Retry</strong> if Slack has not
        verified the address: it can only be verified once the signing secret is here.
      </li>
      <li>
        Invite the bot to a channel and mention it, write to it directly, or use <code>/ask</code>.
      </li>
    </ol>
  );
  return channel.last_event_at === null || !isConnected ? (
    <section aria-label="Connect Slack">
      <h2>Connect Slack</h2>
      {steps}
    </section>
  ) : (
    <details>
      <summary>How it is connected to Slack</summary>
      {steps}
    </details>
  );
}

function Manifest({ channel }: { channel: Channel }) {
  const manifest = slackManifest(location.origin, channel);
  return (
    <div class="snippet">
      <pre tabIndex={0} dir="ltr">
        <code>{manifest}</code>
      </pre>
      <p class="actions">
        <CopyButton text={manifest} label="Copy the manifest" />
      </p>
      {location.protocol !== 'https:' && (
        <p class="quiet">
          Slack calls only addresses with https that it can reach. If this service has one, replace{' '}
          <code>{location.origin}</code> in the manifest.
        </p>
      )}
    </div>
  );
}
