import type { ApiKey } from '../api.js';
import { Alert } from '../components/basics.js';
import { Dialog, DialogButtons } from '../components/dialog.js';
import { findChanges, readFields, Input } from '../components/field.js';
import {
  readCommonFields,
  KeyFields,
  readKeyFields,
  ManagementKeyFields,
} from '../components/key-fields.js';
import { useChange, useShared } from '../load.js';

export function EditKeyDialog(props: {
  apiKey: ApiKey;
  onClose: () => void;
  onChanged: () => void;
}) {
  const { apiKey } = props;
  const isManagement = apiKey.service_account_id !== null;
  const { api, notify } = useShared();
  const { run, busy, error } = useChange(async (form: HTMLFormElement) => {
    const fields = readFields(form);
    const next = {
      name: fields['name'] ?? '',
      ...(isManagement ? readCommonFields(fields, apiKey) : readKeyFields(form, apiKey)),
    };
    const body = findChanges(next, apiKey);
    if (Object.keys(body).length > 0) {
      await api.patch('/api/v1/api-keys/{key_id}', { path: { key_id: apiKey.id }, body });
      notify('The key is changed.');
      props.onChanged();
    }
    props.onClose();
  });
  return (
    <Dialog title={`Change ${apiKey.name}`} onClose={props.onClose}>
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
          defaultValue={apiKey.name}
          error={error}
        />
        {isManagement ? (
          <ManagementKeyFields apiKey={apiKey} error={error} />
        ) : (
          <KeyFields
            apiKey={apiKey}
            environment={apiKey.environment ?? 'admin'}
            kbs={apiKey.kbs.map(({ kb_id }) => kb_id)}
            error={error}
          />
        )}
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Save" busy={busy} />
      </form>
    </Dialog>
  );
}
