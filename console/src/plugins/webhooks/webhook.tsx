import type { IssuedWebhook, Webhook } from '../../api.js';
import { Alert } from '../../components/basics.js';
import { Dialog, DialogButtons } from '../../components/dialog.js';
import { findChanges, readFields, Input } from '../../components/field.js';
import { useChange, useShared } from '../../load.js';

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
  'api_key.used_after_rotation',
  'message.unanswered',
  'message.rated',
  'source.failed',
  'source.recovered',
  'api_key.budget_reached',
] as const satisfies readonly Webhook['events'][number][];

type Event = (typeof EVENTS)[number];

/** Creates a webhook, or changes `webhook`. */
export function WebhookDialog(props: {
  kbId: string;
  webhook?: Webhook;
  onClose: () => void;
  onSaved: (webhook: Webhook | IssuedWebhook) => void;
}) {
  const { webhook } = props;
  const { api } = useShared();
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const { url = '', description = null } = readFields(form);
    const events = new FormData(form).getAll('events') as Event[];
    if (events.length === 0) throw new Error('Choose at least one event.');
    props.onSaved(
      webhook
        ? await api.patch('/api/v1/webhooks/{webhook_id}', {
            path: { webhook_id: webhook.id },
            body: findChanges({ url, events, description }, webhook),
          })
        : await api.post('/api/v1/kbs/{kb_id}/webhooks', {
            path: { kb_id: props.kbId },
            body: { url, events, ...(description !== null && { description }) },
          }),
    );
  });
  return (
    <Dialog title={webhook ? 'Change the webhook' : 'Create webhook'} onClose={props.onClose} side>
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
          defaultValue={webhook?.url ?? ''}
          error={error}
          hint="With https, such as https://shop.example.com/hooks/latchkey"
        />
        <fieldset class="choices">
          <legend>Events</legend>
          {EVENTS.map((event) => (
            <label key={event} class="check">
              <input
                type="checkbox"
                name="events"
                value={event}
                defaultChecked={webhook?.events.includes(event) ?? false}
              />{' '}
              <code>{event}</code>
            </label>
          ))}
        </fieldset>
        <Input
          label="Description"
          name="description"
          maxLength={1000}
          defaultValue={webhook?.description ?? ''}
          error={error}
        />
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action={webhook ? 'Save' : 'Create'} busy={busy} />
      </form>
    </Dialog>
  );
}
