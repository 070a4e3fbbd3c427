import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useKnowledgeBases } from '../../all-knowledge-bases.js';
import type { KnowledgeBase, ServiceAccount } from '../../api.js';
import { Loading, Time } from '../../components/basics.js';
import { Confirm } from '../../components/dialog.js';
import { PageHeader } from '../../components/page-header.js';
import { useLoad, useShared } from '../../load.js';
import { Link } from '../../routing.js';
import { useTitle } from '../../title.js';
import { ManagementKeys } from './management-keys.js';
import { ServiceAccountDialog } from './service-account-form.js';

/** A service account: its access and its keys. */
export function ServiceAccountPage({ id }: { id: string }) {
  const { api, notify } = useShared();
  const [, go] = useLocation();
  const [asking, setAsking] = useState<'change' | 'delete'>();
  const kbs = useKnowledgeBases();
  const path = { sa_id: id };
  const account = useLoad(
    (api, signal) => api.get('/api/v1/service-accounts/{sa_id}', { path, signal }),
    `service account ${id}`,
  );
  useTitle(account.value?.name ?? 'Service account');
  const close = () => {
    setAsking(undefined);
  };
  const up = { href: '/service-accounts', label: 'Service accounts' };
  if (!account.value || !kbs.value) {
    return (
      <>
        <PageHeader title="Service account" up={up} />
        <Loading error={account.error ?? kbs.error} />
      </>
    );
  }
  const { name } = account.value;
  return (
    <>
      <PageHeader title={name} up={up}>
        <>
          <button
            type="button"
            onClick={() => {
              setAsking('change');
            }}
          >
            Change…
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
      </PageHeader>
      <Facts account={account.value} kbs={kbs.value} />
      <ManagementKeys account={account.value} />
      {asking === 'change' && (
        <ServiceAccountDialog
          account={account.value}
          kbs={kbs.value}
          onClose={close}
          onSaved={account.reload}
        />
      )}
      {asking === 'delete' && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete service account"
          phrase={name}
          onClose={close}
          onConfirm={async () => {
            await api.delete('/api/v1/service-accounts/{sa_id}', { path });
            notify(`${name} is deleted.`);
            go('/service-accounts');
          }}
        >
          <p>Its keys stop at once. What it created stays.</p>
        </Confirm>
      )}
    </>
  );
}

function Facts(props: { account: ServiceAccount; kbs: readonly KnowledgeBase[] }) {
  const { account } = props;
  return (
    <dl class="facts">
      <dt>Access</dt>
      <dd>
        {account.kbs.map(({ kb_id, role }) => (
          <div key={kb_id}>
            {role} of{' '}
            <Link href={`/kbs/${kb_id}/overview`} dir="auto">
              {props.kbs.find(({ id }) => id === kb_id)?.name ?? kb_id}
            </Link>
          </div>
        ))}
        {account.all && <div>may create knowledge bases, which it then owns</div>}
        {account.kbs.length === 0 && !account.all && 'none'}
      </dd>
      <dt>Id</dt>
      <dd>
        <code>{account.id}</code>
      </dd>
      <dt>Created</dt>
      <dd>
        <Time at={account.created_at} /> by {account.created_by}
      </dd>
    </dl>
  );
}
