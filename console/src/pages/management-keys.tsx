import { useState } from 'preact/hooks';
import type { ApiKey, IssuedApiKey, ServiceAccount } from '../api.js';
import { Empty, Time } from '../components/basics.js';
import { scopeWords } from '../components/scopes.js';
import { Table } from '../components/table.js';
import { usePagedRows } from '../paging.js';
import { useSearchParams } from '../search-params.js';
import { IssueManagementKeyDialog, SecretDialog } from './issue-key.js';
import { KeyDialog } from './key.js';
import { KeyState } from './key-facts.js';

/** The keys of a service account. */
export function ManagementKeys({ account }: { account: ServiceAccount }) {
  const [{ key: opened }, open] = useSearchParams(['key']);
  const [issuing, setIssuing] = useState(false);
  const [issued, setIssued] = useState<IssuedApiKey>();
  const rows = usePagedRows<ApiKey>(
    (api, query, signal) =>
      api.get('/api/v1/service-accounts/{sa_id}/api-keys', {
        path: { sa_id: account.id },
        query,
        signal,
      }),
    `keys ${account.id}`,
  );
  const issue = (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setIssuing(true);
      }}
    >
      New key
    </button>
  );
  return (
    <>
      <div class="heading section">
        <h2>Keys</h2>
        {rows.value && rows.value.length > 0 && issue}
      </div>
      <Table
        caption="Keys"
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No keys yet">
            <p>A key opens only what its scopes name.</p>
            {issue}
          </Empty>
        }
        columns={[
          {
            name: 'Name',
            cell: ({ id, name }) => (
              <button
                type="button"
                class="link"
                onClick={() => {
                  open({ key: id });
                }}
              >
                {name}
              </button>
            ),
          },
          { name: 'Prefix', kind: 'short', cell: ({ prefix }) => <code>{prefix}…</code> },
          { name: 'State', kind: 'short', cell: (key) => <KeyState apiKey={key} /> },
          { name: 'Scopes', cell: scopeWords },
          { name: 'Last used', kind: 'short', cell: (key) => <Time at={key.last_used_at} /> },
          { name: 'Expires', kind: 'short', cell: (key) => <Time at={key.expires_at} /> },
        ]}
      />
      {issuing && (
        <IssueManagementKeyDialog
          accountId={account.id}
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
          ownerName={account.name}
          mayChange
          onClose={() => {
            open({});
          }}
          onChange={rows.reload}
          onIssued={(key) => {
            open({});
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
            Put it into the secret store of the program. It is sent as{' '}
            <code>Authorization: Bearer</code>.
          </p>
        </SecretDialog>
      )}
    </>
  );
}
