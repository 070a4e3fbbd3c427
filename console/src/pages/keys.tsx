import { useState } from 'preact/hooks';
import type { ApiKey, IssuedApiKey } from '../api.js';
import { Badge, Empty, Time } from '../components/basics.js';
import { Table } from '../components/table.js';
import { useRows } from '../load.js';
import { KeyDialog } from './key.js';
import { IssueDialog, SecretDialog } from './issue-key.js';
import { useKnowledgeBase } from './knowledge-base.js';

export function KeysPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const [issuing, setIssuing] = useState(false);
  const [issued, setIssued] = useState<IssuedApiKey>();
  const [opened, setOpened] = useState<string>();
  const rows = useRows<ApiKey>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/api-keys', { path: { kb_id: kb.id }, query, signal }),
    `keys ${kb.id}`,
  );
  const issue = mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setIssuing(true);
      }}
    >
      New API key
    </button>
  );
  return (
    <>
      <div class="heading">
        <p>An API key lets a program ask this knowledge base, and nothing else.</p>
        {rows.value && rows.value.length > 0 && issue}
      </div>
      <Table
        caption="API keys"
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No API keys yet">
            <p>Give each program a key of its own, so that you can stop one without the others.</p>
            {issue}
          </Empty>
        }
        columns={[
          {
            name: 'Name',
            cell: (key) => (
              <button
                type="button"
                class="link"
                onClick={() => {
                  setOpened(key.id);
                }}
              >
                {key.name}
              </button>
            ),
          },
          { name: 'Prefix', cell: (key) => <code>{key.prefix}…</code> },
          { name: 'State', cell: (key) => <KeyState apiKey={key} /> },
          { name: 'May', cell: (key) => key.scopes.join(', ') },
          { name: 'Last use', cell: (key) => <Time at={key.last_used_at} /> },
          { name: 'Ends', cell: (key) => <Time at={key.expires_at} /> },
        ]}
      />
      {issuing && (
        <IssueDialog
          kbId={kb.id}
          onClose={() => {
            setIssuing(false);
          }}
          onIssued={(key) => {
            setIssuing(false);
            setIssued(key);
            rows.reload();
          }}
        />
      )}
      {opened !== undefined && (
        <KeyDialog
          id={opened}
          onClose={() => {
            setOpened(undefined);
          }}
          onChange={rows.reload}
          onIssued={(key) => {
            setOpened(undefined);
            setIssued(key);
            rows.reload();
          }}
        />
      )}
      {issued && (
        <SecretDialog
          title={`The secret of ${issued.name}`}
          secret={issued.api_key}
          onClose={() => {
            setIssued(undefined);
          }}
        >
          <p>
            Put it into the secret store of the program that asks. Never into its source, a page, or
            a message.
          </p>
        </SecretDialog>
      )}
    </>
  );
}

export function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const state = !apiKey.active
    ? apiKey.state === 'deactivated'
      ? 'revoked'
      : 'expired'
    : apiKey.rotated_to === null
      ? 'active'
      : 'being replaced';
  return (
    <>
      <Badge kind={apiKey.active ? 'ready' : 'failed'}>{state}</Badge>
      {apiKey.environment === 'test' && <Badge kind="pending">test</Badge>}
    </>
  );
}
