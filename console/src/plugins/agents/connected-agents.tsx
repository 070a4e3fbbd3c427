import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiKey, Connection } from '../../api.js';
import { Badge, CopyButton, Loading, number, Time } from '../../components/basics.js';
import { Confirm } from '../../components/dialog.js';
import { scopeWords } from '../../components/scopes.js';
import { More } from '../../components/table.js';
import { useRows, useShared } from '../../load.js';

/** The agents that are connected to a key, and how to connect one. */
export function ConnectedAgents({ apiKey, mayChange }: { apiKey: ApiKey; mayChange: boolean }) {
  const { api, notify } = useShared();
  const [ending, setEnding] = useState<Connection>();
  const rows = useRows<Connection>(
    (api, query, signal) =>
      api.get('/api/v1/api-keys/{key_id}/connections', {
        path: { key_id: apiKey.id },
        query,
        signal,
      }),
    `connections ${apiKey.id}`,
  );
  // A key that a person made while connecting an agent was shown to nobody.
  const hasSecret = rows.value?.every(({ end_user_id }) => end_user_id === null) === true;
  return (
    <>
      <section aria-label="Connected agents">
        <h3>Connected agents</h3>
        {!rows.value ? (
          <Loading error={rows.error} />
        ) : rows.value.length === 0 ? (
          <HowToConnect apiKey={apiKey}>
            To connect Claude, ChatGPT, Cursor or another agent, add this address to it as an MCP
            server, and paste this key on the page that opens.
          </HowToConnect>
        ) : (
          <>
            <ul class="agents">
              {rows.value.map((connection) => (
                <li key={connection.id}>
                  <Agent
                    connection={connection}
                    onDisconnect={
                      mayChange
                        ? () => {
                            setEnding(connection);
                          }
                        : undefined
                    }
                  />
                </li>
              ))}
            </ul>
            <More rows={rows} />
            {hasSecret && (
              <details>
                <summary>Connect another agent</summary>
                <HowToConnect apiKey={apiKey}>
                  Add this address to it as an MCP server, and paste this key on the page that
                  opens.
                </HowToConnect>
              </details>
            )}
          </>
        )}
      </section>
      {ending && (
        <Confirm
          title={`Disconnect ${ending.client_name}?`}
          action="Disconnect agent"
          onClose={() => {
            setEnding(undefined);
          }}
          onConfirm={async () => {
            await api.delete('/api/v1/connections/{connection_id}', {
              path: { connection_id: ending.id },
            });
            notify(`${ending.client_name} is disconnected.`);
            rows.reload();
          }}
        >
          <p>
            Every request of this agent is refused from then on. The key itself keeps working
            {hasSecret && ', and whoever has it can connect the agent again'}.
          </p>
        </Confirm>
      )}
    </>
  );
}

function Agent(props: { connection: Connection; onDisconnect: (() => void) | undefined }) {
  const { connection, onDisconnect } = props;
  const { client_name: name, client_host: host } = connection;
  return (
    <>
      <div class="heading">
        <strong dir="auto">{name}</strong>
        {onDisconnect && (
          <button type="button" aria-label={`Disconnect ${name}`} onClick={onDisconnect}>
            Disconnect…
          </button>
        )}
      </div>
      <dl class="facts">
        <dt>Identity</dt>
        <dd>
          {host === null ? <Badge kind="pending">not verified</Badge> : `verified by ${host}`}
        </dd>
        <dt>Scopes</dt>
        <dd>{scopeWords(connection)}</dd>
        {connection.end_user_id !== null && (
          <>
            <dt>Person</dt>
            <dd>{connection.end_user_id}</dd>
          </>
        )}
        <dt>Connected</dt>
        <dd>
          <Time at={connection.created_at} />
        </dd>
        <dt>Last used</dt>
        <dd>
          <Time at={connection.last_used_at} />
        </dd>
        <dt>Requests</dt>
        <dd>{number(connection.requests)}</dd>
      </dl>
    </>
  );
}

/** @param props.children the sentence above the address */
function HowToConnect(props: { apiKey: ApiKey; children: ComponentChildren }) {
  if (props.apiKey.sender_constraint !== null) {
    return <p class="quiet">A key that is bound to a key pair cannot connect agents.</p>;
  }
  if (!props.apiKey.scopes.includes('query')) {
    return <p class="quiet">Agents need a key that may find passages, which this one may not.</p>;
  }
  const address = `${location.origin}/mcp`;
  return (
    <>
      <p>{props.children}</p>
      <p>
        <code class="secret" dir="ltr">
          {address}
        </code>
      </p>
      <p class="actions">
        <CopyButton text={address} label="Copy the address" />
      </p>
    </>
  );
}
