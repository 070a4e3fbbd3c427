import type { ApiKey, ServiceAccount } from '../../api.js';
import { Empty } from '../../components/basics.js';
import { usePagedRows } from '../../paging.js';
import { IssueManagementKeyDialog } from '../../pages/issue-key.js';
import { KeyState } from '../../pages/key-facts.js';
import { KeyList } from '../../pages/key-list.js';

/** The keys of a service account. */
export function ManagementKeys({ account }: { account: ServiceAccount }) {
  const rows = usePagedRows<ApiKey>(
    (api, query, signal) =>
      api.get('/api/v1/service-accounts/{sa_id}/api-keys', {
        path: { sa_id: account.id },
        query,
        signal,
      }),
    `keys ${account.id}`,
  );
  return (
    <KeyList
      caption="Keys"
      rows={rows}
      ownerName={account.name}
      mayChange
      newKey="Create key"
      issueDialog={(issuing) => <IssueManagementKeyDialog accountId={account.id} {...issuing} />}
      heading={(issue) => (
        <div class="heading section">
          <h2>Keys</h2>
          {rows.value && rows.value.length > 0 && issue}
        </div>
      )}
      empty={(issue) => (
        <Empty title="No keys yet">
          <p>A key opens only what its scopes name.</p>
          {issue}
        </Empty>
      )}
      state={(key) => <KeyState apiKey={key} />}
      advice={
        <>
          Put it into the secret store of the program. It is sent as{' '}
          <code>Authorization: Bearer</code>.
        </>
      }
    />
  );
}
