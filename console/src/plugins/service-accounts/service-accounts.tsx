import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useKnowledgeBases } from '../../all-knowledge-bases.js';
import type { ServiceAccount } from '../../api.js';
import { Alert, Empty, Time } from '../../components/basics.js';
import { PageHeader } from '../../components/page-header.js';
import { Table } from '../../components/table.js';
import { usePagedRows } from '../../paging.js';
import { Link } from '../../routing.js';
import { useTitle } from '../../title.js';
import { rolesWords } from './service-account-roles.js';
import { ServiceAccountDialog } from './service-account-form.js';

export function ServiceAccountsPage() {
  useTitle('Service accounts');
  const [creating, setCreating] = useState(false);
  const [, go] = useLocation();
  const kbs = useKnowledgeBases();
  const rows = usePagedRows<ServiceAccount>(
    (api, query, signal) => api.get('/api/v1/service-accounts', { query, signal }),
    'service accounts',
  );
  const create = (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setCreating(true);
      }}
    >
      Create service account
    </button>
  );
  const hasRows = rows.value !== undefined && rows.value.length > 0;
  return (
    <>
      <PageHeader
        title="Service accounts"
        lead="A service account lets a program manage knowledge bases with keys of its own. It stays when people leave."
      >
        {hasRows && create}
      </PageHeader>
      <Table
        caption="Service accounts"
        rows={rows}
        getKey={({ id }) => id}
        empty={
          <Empty title="No service accounts yet">
            <p>Give each program that manages keys, documents or settings an account of its own.</p>
            {create}
          </Empty>
        }
        columns={[
          {
            name: 'Name',
            cell: ({ id, name }) => <Link href={`/service-accounts/${id}`}>{name}</Link>,
          },
          { name: 'Access', cell: (account) => rolesWords(account, kbs.value) },
          {
            name: 'Created',
            cell: ({ created_at, created_by }) => (
              <>
                <Time at={created_at} /> by {created_by}
              </>
            ),
          },
        ]}
      />
      {creating && !kbs.value && <Alert error={kbs.error} />}
      {creating && kbs.value && (
        <ServiceAccountDialog
          kbs={kbs.value}
          onClose={() => {
            setCreating(false);
          }}
          onSaved={({ id }) => {
            go(`/service-accounts/${id}`);
          }}
        />
      )}
    </>
  );
}
