import type { Delivery } from '../../api.js';
import { Alert, Badge, Empty, Time } from '../../components/basics.js';
import { Dialog } from '../../components/dialog.js';
import { Table } from '../../components/table.js';
import { useChange, usePolling, useShared } from '../../load.js';
import { usePagedRows } from '../../paging.js';
import { useKnowledgeBase } from '../../current-knowledge-base.js';

const POLL_MS = 3000;

const KINDS: Record<string, string> = { delivered: 'ready', pending: 'pending', failed: 'failed' };

/** The deliveries of a webhook, and their responses. */
export function DeliveriesDialog(props: { webhookId: string; onClose: () => void }) {
  const { webhookId, onClose } = props;
  const { api, notify } = useShared();
  const { mayChange } = useKnowledgeBase();
  const rows = usePagedRows<Delivery>(
    (api, query, signal) =>
      api.get('/api/v1/webhooks/{webhook_id}/deliveries', {
        path: { webhook_id: webhookId },
        query,
        signal,
      }),
    `deliveries ${webhookId}`,
    'delivery_',
  );
  usePolling(rows, true, POLL_MS);
  const redeliver = useChange(async (id: string) => {
    const path = { delivery_id: id };
    await api.post('/api/v1/webhook-deliveries/{delivery_id}/redeliver', { path });
    notify('It is sent again.');
    rows.reload();
  });
  return (
    <Dialog title="Deliveries" onClose={onClose} side wide>
      <Table
        caption="Deliveries"
        rows={rows}
        getKey={({ id }) => id}
        empty={
          <Empty title="Nothing was sent yet">
            <p>What happens from now on is listed here.</p>
          </Empty>
        }
        columns={[
          { name: 'When', kind: 'short', cell: (each) => <Time at={each.created_at} /> },
          { name: 'Event', cell: (each) => <code>{each.event}</code> },
          {
            name: 'State',
            cell: (each) => (
              <>
                <Badge kind={KINDS[each.state] ?? 'plain'}>{each.state}</Badge>
                <span class="quiet">
                  {each.response_status ?? each.error?.replaceAll('_', ' ')}
                  {each.state === 'pending' && each.attempts > 0 && (
                    <>
                      {' '}
                      next <Time at={each.next_attempt_at} />
                    </>
                  )}
                </span>
              </>
            ),
          },
          { name: 'Attempts', kind: 'numeric', cell: (each) => each.attempts },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (each) =>
              mayChange && (
                <button type="button" class="link" onClick={() => void redeliver.run(each.id)}>
                  Send again
                </button>
              ),
          },
        ]}
      />
      <Alert error={redeliver.error} />
    </Dialog>
  );
}
