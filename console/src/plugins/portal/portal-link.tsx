import { useState } from 'preact/hooks';
import type { ApiKey } from '../../api.js';
import { Alert, CopyButton, Time } from '../../components/basics.js';
import { Dialog, DialogButtons } from '../../components/dialog.js';
import { Input, readFields, Select } from '../../components/field.js';
import { useChange, useShared } from '../../load.js';

const LIFETIMES = [
  ['3600', 'an hour'],
  ['86400', 'a day'],
  ['604800', 'a week'],
] as const;

interface Made {
  readonly url: string;
  readonly expires_at: string;
}

/** Makes a link with which the holder of a key looks after it, without an account. */
export function PortalLinkDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { api } = useShared();
  const [made, setMade] = useState<Made>();
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const { recipient = '', lifetime } = readFields(form);
    const body = {
      expires_in: Number(lifetime),
      rotate: new FormData(form).has('rotate'),
      ...(recipient.trim() !== '' && { recipient }),
    };
    const path = { key_id: apiKey.id };
    setMade(await api.post('/api/v1/api-keys/{key_id}/portal-links', { path, body }));
  });
  if (made) {
    return (
      <Dialog title="Portal link" onClose={onClose}>
        <p>
          Send it to the holder of the key. It opens once, <Time at={made.expires_at} /> at the
          latest, and is not shown again.
        </p>
        <p>
          <code class="secret" dir="ltr">
            {made.url}
          </code>
        </p>
        <p class="actions">
          <CopyButton text={made.url} label="Copy the link" />
        </p>
        <menu>
          <button type="button" class="primary" onClick={onClose}>
            Done
          </button>
        </menu>
      </Dialog>
    );
  }
  return (
    <Dialog title={`Portal link for ${apiKey.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(event.currentTarget);
        }}
      >
        <p>
          The link opens a page, once, for 30 minutes. Its reader sees what the key may do and how
          it is used, and can end it.
        </p>
        <Input
          label="Recipient"
          name="recipient"
          maxLength={255}
          hint="The page names them before the link is opened"
        />
        <Select label="It can be opened for" name="lifetime" initial="86400">
          {LIFETIMES.map(([seconds, words]) => (
            <option key={seconds} value={seconds}>
              {words}
            </option>
          ))}
        </Select>
        <label class="check">
          <input type="checkbox" name="rotate" />
          <span>They may also rotate the key</span>
        </label>
        <Alert error={error} />
        <DialogButtons onClose={onClose} action="Create link" busy={busy} />
      </form>
    </Dialog>
  );
}
