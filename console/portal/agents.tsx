import { Badge, CopyButton, Time } from '../src/components/basics.js';
import { call, type Connection, type View } from './api.js';
import { Ask } from './ask.js';

interface Props {
  readonly view: View;
  readonly reload: () => Promise<void>;
  readonly onEnded: (error: unknown) => void;
}

/** The agents that are connected to the key, and how to connect one. */
export function Agents({ view: { key, link_id: link }, reload, onEnded }: Props) {
  const address = new URL('mcp', location.href).href;
  return (
    <section aria-label="Connected agents">
      <h2>Connected agents</h2>
      {key.connections.length > 0 && (
        <ul class="agents">
          {key.connections.map((connection) => (
            <li key={connection.id}>
              <Agent connection={connection} />
              <Ask
                action={`Disconnect ${connection.client_name}…`}
                question={`Disconnect ${connection.client_name}?`}
                confirm="Disconnect agent"
                run={async () => {
                  await call('POST', `connections/${connection.id}/disconnect`, { link });
                  await reload();
                }}
                onEnded={onEnded}
              >
                <p>
                  Every request of this agent is refused from then on. Your key keeps working, and
                  whoever has it can connect the agent again.
                </p>
              </Ask>
            </li>
          ))}
        </ul>
      )}
      {key.sender_constraint !== null ? (
        <p class="quiet">A key that is bound to a key pair cannot connect agents.</p>
      ) : key.scopes.includes('query') ? (
        <>
          <p>
            To connect Claude, ChatGPT, Cursor or another agent, add this address to it as an MCP
            server, and paste your key on the page that opens.
          </p>
          <p>
            <code class="secret" dir="ltr">
              {address}
            </code>
          </p>
          <p class="actions">
            <CopyButton text={address} label="Copy the address" />
          </p>
        </>
      ) : (
        <p class="quiet">Agents need a key that may find passages, which this one may not.</p>
      )}
    </section>
  );
}

function Agent({ connection }: { connection: Connection }) {
  const { client_host: host } = connection;
  return (
    <>
      <strong dir="auto">{connection.client_name}</strong>
      <dl class="facts">
        <dt>Identity</dt>
        <dd>
          {host === null ? <Badge kind="pending">not verified</Badge> : `verified by ${host}`}
        </dd>
        <dt>Connected</dt>
        <dd>
          <Time at={connection.connected_at} />
        </dd>
        <dt>Last used</dt>
        <dd>
          <Time at={connection.last_used_at} />
        </dd>
      </dl>
    </>
  );
}
