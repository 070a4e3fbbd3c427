import { useState } from 'preact/hooks';
import type { TrustedIssuer } from '../../api.js';
import { Alert, Empty, RowAction, Time } from '../../components/basics.js';
import { Confirm, Dialog, DialogButtons } from '../../components/dialog.js';
import { readFields, Input, parseJson, Select, TextArea } from '../../components/field.js';
import { PageHeader } from '../../components/page-header.js';
import { SCOPES, ScopesField, readScopes } from '../../components/scopes.js';
import { Table } from '../../components/table.js';
import { useIdempotencyKey } from '../../idempotency.js';
import { useChange, useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { useDialogInAddress } from '../../search-params.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';

type NewIssuer = Pick<TrustedIssuer, 'issuer' | 'audience' | 'scopes'> &
  Partial<Pick<TrustedIssuer, 'subject' | 'claims' | 'filter'>>;

/** The scopes that client tokens may have. */
const ISSUER_SCOPES = SCOPES.slice(0, 3);

/** Presets for each platform, as in docs/workloads.md. */
const PLATFORMS = [
  {
    name: 'GitHub Actions',
    issuer: 'https://token.actions.githubusercontent.com',
    subject: 'repo:owner/repository:ref:refs/heads/main, or …:environment:name in an environment',
  },
  {
    name: 'Kubernetes',
    issuer: '',
    subject:
      'system:serviceaccount:namespace:name; the issuer is what kubectl get --raw /.well-known/openid-configuration says',
  },
  {
    name: 'AWS',
    issuer: '',
    subject:
      'The ARN of the role; the issuer is what aws iam enable-outbound-web-identity-federation names',
  },
  {
    name: 'Google Cloud',
    issuer: 'https://accounts.google.com',
    subject: 'The number of the service account',
  },
  {
    name: 'Azure',
    issuer: '',
    subject:
      'The object id of the managed identity; the issuer is https://login.microsoftonline.com/tenant/v2.0, or what iss of its tokens says',
  },
  { name: 'Another', issuer: '', subject: '* stands for any characters' },
] as const;

export function TrustedIssuersPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [adding, setAdding] = useDialogInAddress('new');
  const [ending, setEnding] = useState<TrustedIssuer>();
  const rows = usePagedRows<TrustedIssuer>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/trusted-issuers', { path: { kb_id: kb.id }, query, signal }),
    `trusted issuers ${kb.id}`,
  );
  const add = mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setAdding(true);
      }}
    >
      Trust an issuer
    </button>
  );
  return (
    <>
      <PageHeader
        title="Trusted issuers"
        lead={
          <>
            Jobs, pods and functions exchange the token of their platform for a client token, and
            need no stored key. Each platform has a recipe in{' '}
            <a href="/docs/guide/workloads">the guide</a>.
          </>
        }
      >
        {rows.value && rows.value.length > 0 && add}
      </PageHeader>
      <Table
        caption="Trusted issuers"
        rows={rows}
        getKey={({ id }) => id}
        empty={
          <Empty title="No trusted issuers yet">
            <p>Let workloads of GitHub Actions, Kubernetes or a cloud ask without an API key.</p>
            {add}
          </Empty>
        }
        columns={[
          {
            name: 'Issuer',
            cell: ({ issuer, audience }) => (
              <>
                <code>{issuer}</code>
                <div class="quiet">
                  for <code>{audience}</code>
                </div>
              </>
            ),
          },
          { name: 'Workload', cell: (trust) => <Workload trust={trust} /> },
          {
            name: 'Scopes',
            cell: ({ scopes, filter }) => (
              <>
                {scopes.join(', ')}
                {filter !== null && <div class="quiet">with a filter</div>}
              </>
            ),
          },
          { name: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (trust) =>
              mayChange && (
                <RowAction
                  onPress={() => {
                    setEnding(trust);
                  }}
                >
                  Withdraw
                </RowAction>
              ),
          },
        ]}
      />
      {adding && mayChange && (
        <TrustDialog
          kbId={kb.id}
          onClose={() => {
            setAdding(false);
          }}
          onSaved={rows.reload}
        />
      )}
      {ending && (
        <Confirm
          title="Withdraw the trust?"
          action="Withdraw trust"
          onClose={() => {
            setEnding(undefined);
          }}
          onConfirm={async () => {
            const path = { trust_id: ending.id };
            await api.delete('/api/v1/trusted-issuers/{trust_id}', { path });
            notify('The issuer is trusted no longer.');
            rows.reload();
          }}
        >
          <p>
            Tokens of <code>{ending.issuer}</code> are exchanged no more, and the client tokens that
            they were exchanged for end at once.
          </p>
        </Confirm>
      )}
    </>
  );
}

function Workload({ trust: { subject, claims } }: { trust: TrustedIssuer }) {
  const required = Object.entries(claims ?? {});
  return (
    <>
      {subject === null ? <span class="quiet">any subject</span> : <code>{subject}</code>}
      {required.map(([name, value]) => (
        <div key={name} class="quiet">
          <code>
            {name} = {String(value)}
          </code>
        </div>
      ))}
    </>
  );
}

function TrustDialog(props: { kbId: string; onClose: () => void; onSaved: () => void }) {
  const { api, notify } = useShared();
  const idempotencyKey = useIdempotencyKey();
  const [platform, setPlatform] = useState<(typeof PLATFORMS)[number]>(PLATFORMS[0]);
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const { issuer = '', audience = '', subject, claims, filter } = readFields(form);
    const body: NewIssuer = {
      issuer,
      audience,
      ...(subject !== undefined && { subject }),
      ...(claims !== undefined && {
        claims: parseJson(claims, 'The text of the claims') as NonNullable<TrustedIssuer['claims']>,
      }),
      ...(filter !== undefined && {
        filter: parseJson(filter, 'The filter') as NonNullable<TrustedIssuer['filter']>,
      }),
      scopes: readScopes(form) as TrustedIssuer['scopes'],
    };
    await api.post('/api/v1/kbs/{kb_id}/trusted-issuers', {
      path: { kb_id: props.kbId },
      body,
      headers: idempotencyKey(body),
    });
    notify('The issuer is trusted.');
    props.onSaved();
    props.onClose();
  });
  return (
    <Dialog title="Trust an issuer" onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(event.currentTarget);
        }}
      >
        <Select
          label="Platform"
          name="platform"
          onChange={({ currentTarget: { value } }) => {
            setPlatform(PLATFORMS.find(({ name }) => name === value) ?? PLATFORMS[0]);
          }}
        >
          {PLATFORMS.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        <Input
          key={platform.name}
          label="Issuer"
          name="issuer"
          type="url"
          required
          defaultValue={platform.issuer}
          error={error}
          hint="What iss of its tokens says"
        />
        <Input
          label="Audience"
          name="audience"
          required
          maxLength={255}
          error={error}
          hint="What aud of its tokens says: a name of this knowledge base, such as its address"
        />
        <Input
          label="Subject"
          name="subject"
          maxLength={255}
          error={error}
          hint={`${platform.subject}. Without a subject and claims, everybody with a token of the issuer may ask`}
        />
        <TextArea
          label="Claims"
          name="claims"
          error={error}
          hint='Further claims of its tokens and their values as JSON, such as {"repository_id": "123456"}'
        />
        <ScopesField choices={ISSUER_SCOPES} chosen={['query', 'chat']} />
        <TextArea
          label="Filter"
          name="filter"
          error={error}
          hint='JSON, such as {"type": "eq", "key": "audience", "value": "customer"}; without it all documents'
        />
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Trust" busy={busy} />
      </form>
    </Dialog>
  );
}
