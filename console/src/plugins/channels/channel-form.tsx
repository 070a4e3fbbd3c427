import type { Channel } from '../../api.js';
import { Alert } from '../../components/basics.js';
import { Dialog, DialogButtons } from '../../components/dialog.js';
import { findChanges, Input, readFields } from '../../components/field.js';
import { MoreFields } from '../../components/more-fields.js';
import { useIdempotencyKey } from '../../idempotency.js';
import { useChange, useShared } from '../../load.js';

/** The limits of new channels, as the service has them. */
const DEFAULTS = { daily_messages: 500, per_user_per_minute: 10 };

/** Creates a channel, or changes `channel`. */
export function ChannelDialog(props: {
  kbId: string;
  channel?: Channel;
  onClose: () => void;
  onSaved: (channel: Channel) => void;
}) {
  const { channel } = props;
  const { api } = useShared();
  const idempotencyKey = useIdempotencyKey();
  const limits = channel ?? DEFAULTS;
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const fields = readFields(form);
    const body = {
      name: fields['name'] ?? '',
      daily_messages: Number(fields['daily_messages']),
      per_user_per_minute: Number(fields['per_user_per_minute']),
    };
    props.onSaved(
      channel
        ? await api.patch('/api/v1/channels/{channel_id}', {
            path: { channel_id: channel.id },
            body: findChanges(body, channel),
          })
        : await api.post('/api/v1/kbs/{kb_id}/channels', {
            path: { kb_id: props.kbId },
            body,
            headers: idempotencyKey(body),
          }),
    );
  });
  return (
    <Dialog title={channel ? 'Change the channel' : 'Create channel'} onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(event.currentTarget);
        }}
      >
        <Input
          label="Name"
          name="name"
          required
          maxLength={100}
          autofocus
          defaultValue={channel?.name ?? ''}
          error={error}
          hint="Such as Support Slack; the app in Slack is proposed the same name"
        />
        <MoreFields isOpen={channel !== undefined}>
          <div class="columns">
            <Input
              label="Questions a day"
              name="daily_messages"
              type="number"
              required
              min={1}
              max={1_000_000}
              defaultValue={limits.daily_messages}
              error={error}
              hint="Of everybody, UTC: what the channel can cost"
            />
            <Input
              label="Questions a minute"
              name="per_user_per_minute"
              type="number"
              required
              min={1}
              max={600}
              defaultValue={limits.per_user_per_minute}
              error={error}
              hint="Of each person"
            />
          </div>
        </MoreFields>
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action={channel ? 'Save' : 'Create'} busy={busy} />
      </form>
    </Dialog>
  );
}
