import type { Channel } from '../../api.js';
import { Alert } from '../../components/basics.js';
import { Dialog, DialogButtons } from '../../components/dialog.js';
import { Input, readFields } from '../../components/field.js';
import { useChange, useShared } from '../../load.js';

/** Stores the secrets of a Slack app, or replaces them. */
export function SecretsDialog(props: {
  channel: Channel;
  onClose: () => void;
  onSaved: (channel: Channel) => void;
}) {
  const { id, workspace } = props.channel;
  const { api } = useShared();
  const isNew = workspace === null;
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const { signing_secret, bot_token } = readFields(form);
    const body = { ...(signing_secret && { signing_secret }), ...(bot_token && { bot_token }) };
    if (Object.keys(body).length === 0) throw new Error('Type at least one of the secrets.');
    props.onSaved(
      await api.patch('/api/v1/channels/{channel_id}', { path: { channel_id: id }, body }),
    );
  });
  const secret = { type: 'password', autocomplete: 'off', required: isNew, error } as const;
  return (
    <Dialog title={isNew ? 'Add the secrets' : 'Replace the secrets'} onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(event.currentTarget);
        }}
      >
        <p class="quiet">
          {isNew
            ? 'Stored encrypted, and never shown again.'
            : 'Leave one empty to keep what is stored.'}
        </p>
        <Input
          {...secret}
          label="Signing secret"
          name="signing_secret"
          autofocus
          hint="Basic Information → App Credentials"
        />
        <Input
          {...secret}
          label="Bot token"
          name="bot_token"
          hint="OAuth & Permissions → Bot User OAuth Token; begins with xoxb-"
        />
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Save" busy={busy} />
      </form>
    </Dialog>
  );
}
