import { useState } from 'preact/hooks';
import type { IssuedWebhook, Webhook } from '../../api.js';
import { Alert, Badge, Empty, RowAction, Time } from '../../components/basics.js';
import { Confirm } from '../../components/dialog.js';
import { PageHeader } from '../../components/page-header.js';
import { Table } from '../../components/table.js';
import { useChange, useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { useDialogInAddress, useSearchParams } from '../../search-params.js';
import { DeliveriesDialog } from './deliveries.js';
import { SecretDialog } from '../../pages/issue-key.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';
import { WebhookDialog } from './webhook.js';

interface Asking {
  readonly what: 'change' | 'secret' | 'delete';
  readonly webhook: Webhook;
}

export function WebhooksPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [{ webhook: opened }, open] = useSearchParams([
    'webhook',
    'delivery_after',
    'delivery_page',
  ]);
  const [isAdding, setAdding] = useDialogInAddress('new');
  const [asking, setAsking] = useState<Asking>();
  const [issued, setIssued] = useState<IssuedWebhook>();
  const rows = usePagedRows<Webhook>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/webhooks', { path: { kb_id: kb.id }, query, signal }),
    `webhooks ${kb.id}`,
  );
  const test = useChange(async ({ id }: Webhook) => {
    await api.post('/api/v1/webhooks/{webhook_id}/test', { path: { webhook_id: id } });
    open({ webhook: id });
  });
  const activate = useChange(async ({ id }: Webhook) => {
    await api.patch('/api/v1/webhooks/{webhook_id}', {
      path: { webhook_id: id },
      body: { state: 'active' },
    });
    notify('The webhook is active again. Events from now on are delivered.');
    rows.reload();
  });
  const close = () => {
    setAsking(undefined);
    if (isAdding) setAdding(false);
  };
  const add = mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setAdding(true);
      }}
    >
      Create webhook
    </button>
  );
  return (
    <>
      <PageHeader title="Webhooks" lead="They tell your own service when something happens here.">
        {rows.value && rows.value.length > 0 && add}
      </PageHeader>
      <Table
        caption="Webhooks"
        rows={rows}
        getKey={({ id }) => id}
        empty={
          <Empty title="No webhooks yet">
            <p>Be notified when a document has failed, or a question was not answered.</p>
            {add}
          </Empty>
        }
        columns={[
          {
            name: 'Address',
            cell: ({ url, description }) => (
              <>
                <code>{url}</code>
                {description !== null && <div class="quiet">{description}</div>}
              </>
            ),
          },
          { name: 'Events', cell: ({ events }) => events.join(', ') },
          { name: 'State', cell: (webhook) => <State webhook={webhook} /> },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (webhook) => (
              <>
                <RowAction
                  onPress={() => {
                    open({ webhook: webhook.id });
                  }}
                >
                  Deliveries
                </RowAction>
                {mayChange && (
                  <>
                    {webhook.state === 'deactivated' && (
                      <RowAction onPress={() => void activate.run(webhook)}>Activate</RowAction>
                    )}
                    <RowAction onPress={() => void test.run(webhook)}>Test</RowAction>
                    <RowAction
                      onPress={() => {
                        setAsking({ what: 'change', webhook });
                      }}
                    >
                      Change
                    </RowAction>
                    <RowAction
                      onPress={() => {
                        setAsking({ what: 'secret', webhook });
                      }}
                    >
                      New secret
                    </RowAction>
                    <RowAction
                      onPress={() => {
                        setAsking({ what: 'delete', webhook });
                      }}
                    >
                      Delete
                    </RowAction>
                  </>
                )}
              </>
            ),
          },
        ]}
      />
      <Alert error={test.error ?? activate.error} />
      {((isAdding && mayChange) || asking?.what === 'change') && (
        <WebhookDialog
          kbId={kb.id}
          {...(asking?.what === 'change' && { webhook: asking.webhook })}
          onClose={close}
          onSaved={(webhook) => {
            close();
            if ('secret' in webhook) setIssued(webhook);
            rows.reload();
          }}
        />
      )}
      {issued && (
        <SecretDialog
          title="The signing secret"
          secret={issued.secret}
          onClose={() => {
            setIssued(undefined);
          }}
        >
          <p>With it your service verifies that a delivery comes from here.</p>
        </SecretDialog>
      )}
      {opened !== undefined && (
        <DeliveriesDialog
          webhookId={opened}
          onClose={() => {
            open({});
          }}
        />
      )}
      {asking?.what === 'secret' && (
        <Confirm
          title="Create a new secret?"
          action="Create secret"
          onClose={close}
          onConfirm={async () => {
            const path = { webhook_id: asking.webhook.id };
            setIssued(await api.post('/api/v1/webhooks/{webhook_id}/rotate-secret', { path }));
            rows.reload();
          }}
        >
          <p>
            Both secrets sign for 24 hours; then only the new one does, and{' '}
            <code>{asking.webhook.url}</code> must know it.
          </p>
        </Confirm>
      )}
      {asking?.what === 'delete' && (
        <Confirm
          title="Delete the webhook?"
          action="Delete webhook"
          onClose={close}
          onConfirm={async () => {
            await api.delete('/api/v1/webhooks/{webhook_id}', {
              path: { webhook_id: asking.webhook.id },
            });
            notify('The webhook is deleted.');
            rows.reload();
          }}
        >
          <p>
            <code>{asking.webhook.url}</code> gets no more events, not even those that wait to be
            delivered. The list of deliveries is deleted too.
          </p>
        </Confirm>
      )}
    </>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  const { state, deactivated_at, deactivation_reason } = webhook;
  return state === 'active' ? (
    <Badge kind="ready">active</Badge>
  ) : (
    <>
      <Badge kind="failed">deactivated</Badge>{' '}
      <span class="quiet">
        {deactivation_reason?.replaceAll('_', ' ')} <Time at={deactivated_at} none="" />
      </span>
    </>
  );
}
