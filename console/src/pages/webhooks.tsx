import { useState } from 'preact/hooks';
import type { Delivery, IssuedWebhook, Webhook } from '../api.js';
import { Alert, Badge, Empty, Time } from '../components/basics.js';
import { Confirm, Dialog } from '../components/dialog.js';
import { fieldsOf, Input } from '../components/field.js';
import { Table } from '../components/table.js';
import { useChange, usePolling, useRows, useShared } from '../load.js';
import { SecretDialog } from './issue-key.js';
import { useKnowledgeBase } from './knowledge-base.js';

const EVENTS = [
  'document.ready',
  'document.failed',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'api_key.deleted',
  'api_key.expiring',
  'api_key.reported_as_leaked',
  'api_key.used_after_revocation',
  'message.unanswered',
  'message.rated',
] as const;

type Event = (typeof EVENTS)[number];

export function WebhooksPage() {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [adding, setAdding] = useState(false);
  const [issued, setIssued] = useState<IssuedWebhook>();
  const [opened, setOpened] = useState<Webhook>();
  const [deleting, setDeleting] = useState<Webhook>();
  const rows = useRows<Webhook>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/webhooks', { path: { kb_id: kb.id }, query, signal }),
    `webhooks ${kb.id}`,
  );
  const test = useChange(async ({ id }: Webhook) => {
    await api.post('/api/v1/webhooks/{webhook_id}/test', { path: { webhook_id: id } });
    notify('A test is on its way; see the deliveries.');
  });
  const renew = useChange(async ({ id }: Webhook) => {
    setIssued(
      await api.post('/api/v1/webhooks/{webhook_id}/rotate-secret', { path: { webhook_id: id } }),
    );
  });
  const add = mayChange && (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setAdding(true);
      }}
    >
      New webhook
    </button>
  );
  return (
    <>
      <div class="heading">
        <p>A webhook tells your own service when something happens here.</p>
        {rows.value && rows.value.length > 0 && add}
      </div>
      <Table
        caption="Webhooks"
        rows={rows}
        keyOf={({ id }) => id}
        empty={<Empty title="No webhooks yet">{add}</Empty>}
        columns={[
          { name: 'Address', cell: ({ url }) => <code>{url}</code> },
          { name: 'Events', cell: ({ events }) => events.join(', ') },
          {
            name: 'State',
            cell: ({ state }) => (
              <Badge kind={state === 'active' ? 'ready' : 'failed'}>{state}</Badge>
            ),
          },
          {
            name: 'Actions',
            cell: (webhook) => (
              <>
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    setOpened(webhook);
                  }}
                >
                  Deliveries
                </button>
                {mayChange && (
                  <>
                    <button type="button" class="link" onClick={() => void test.run(webhook)}>
                      Test
                    </button>
                    <button type="button" class="link" onClick={() => void renew.run(webhook)}>
                      New secret
                    </button>
                    <button
                      type="button"
                      class="link"
                      onClick={() => {
                        setDeleting(webhook);
                      }}
                    >
                      Delete
                    </button>
                  </>
                )}
              </>
            ),
          },
        ]}
      />
      <Alert error={test.error ?? renew.error} />
      {adding && (
        <AddDialog
          kbId={kb.id}
          onClose={() => {
            setAdding(false);
          }}
          onIssued={(webhook) => {
            setAdding(false);
            setIssued(webhook);
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
      {opened && (
        <DeliveriesDialog
          webhook={opened}
          onClose={() => {
            setOpened(undefined);
          }}
        />
      )}
      {deleting && (
        <Confirm
          title="Delete the webhook?"
          action="Delete webhook"
          onClose={() => {
            setDeleting(undefined);
          }}
          onConfirm={async () => {
            await api.delete('/api/v1/webhooks/{webhook_id}', {
              path: { webhook_id: deleting.id },
            });
            notify('The webhook is deleted.');
            rows.reload();
          }}
        >
          <p>
            <code>{deleting.url}</code> will be told nothing more, not even what waits to be
            delivered.
          </p>
        </Confirm>
      )}
    </>
  );
}

function AddDialog(props: {
  kbId: string;
  onClose: () => void;
  onIssued: (webhook: IssuedWebhook) => void;
}) {
  const { api } = useShared();
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const { url = '', description } = fieldsOf(form);
    const events = new FormData(form).getAll('events') as Event[];
    props.onIssued(
      await api.post('/api/v1/kbs/{kb_id}/webhooks', {
        path: { kb_id: props.kbId },
        body: { url, events, ...(description !== undefined && { description }) },
      }),
    );
  });
  return (
    <Dialog title="New webhook" onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(event.currentTarget);
        }}
      >
        <Input
          label="Address"
          name="url"
          type="url"
          required
          autofocus
          error={error}
          hint="With https"
        />
        <fieldset>
          <legend>Tell it of</legend>
          {EVENTS.map((event) => (
            <label key={event} class="check">
              <input type="checkbox" name="events" value={event} /> <code>{event}</code>
            </label>
          ))}
        </fieldset>
        <Input label="Description" name="description" error={error} />
        <Alert error={error} />
        <menu>
          <button type="button" onClick={props.onClose}>
            Cancel
          </button>
          <button class="primary" disabled={busy}>
            Add
          </button>
        </menu>
      </form>
    </Dialog>
  );
}

function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { api } = useShared();
  const { mayChange } = useKnowledgeBase();
  const rows = useRows<Delivery>(
    (api, query, signal) =>
      api.get('/api/v1/webhooks/{webhook_id}/deliveries', {
        path: { webhook_id: webhook.id },
        query,
        signal,
      }),
    `deliveries ${webhook.id}`,
  );
  usePolling(rows, true, 3000);
  return (
    <Dialog title="Deliveries" onClose={onClose}>
      <Table
        caption={`Deliveries to ${webhook.url}`}
        rows={rows}
        keyOf={({ id }) => id}
        empty={<Empty title="Nothing was sent yet" />}
        columns={[
          { name: 'When', cell: (each) => <Time at={each.created_at} /> },
          { name: 'Event', cell: (each) => <code>{each.event}</code> },
          { name: 'State', cell: (each) => <Badge kind="plain">{each.state}</Badge> },
          { name: 'Attempts', numeric: true, cell: (each) => each.attempts },
          ...(mayChange
            ? [
                {
                  name: 'Actions',
                  cell: (each: Delivery) => (
                    <button
                      type="button"
                      class="link"
                      onClick={() => {
                        const path = { delivery_id: each.id };
                        void api
                          .post('/api/v1/webhook-deliveries/{delivery_id}/redeliver', { path })
                          .then(rows.reload);
                      }}
                    >
                      Send again
                    </button>
                  ),
                },
              ]
            : []),
        ]}
      />
      <menu>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </menu>
    </Dialog>
  );
}
