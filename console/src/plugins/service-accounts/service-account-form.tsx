import type { KnowledgeBase, ServiceAccount } from '../../api.js';
import { Alert } from '../../components/basics.js';
import { Dialog, DialogButtons } from '../../components/dialog.js';
import { findChanges, readFields, Input } from '../../components/field.js';
import { useIdempotencyKey } from '../../idempotency.js';
import { useChange, useShared } from '../../load.js';
import { RolesField, readRoles } from './service-account-roles.js';

/** Creates a service account, or changes `account`. */
export function ServiceAccountDialog(props: {
  kbs: readonly KnowledgeBase[];
  account?: ServiceAccount;
  onClose: () => void;
  onSaved: (account: ServiceAccount) => void;
}) {
  const { account, kbs } = props;
  const { api, notify } = useShared();
  const idempotencyKey = useIdempotencyKey();
  const save = (fields: Record<string, string>): Promise<ServiceAccount> => {
    const described = { name: fields['name'] ?? '', kbs: readRoles(fields) };
    if (account) {
      return api.patch('/api/v1/service-accounts/{sa_id}', {
        path: { sa_id: account.id },
        body: findChanges(described, account),
      });
    }
    const body = { ...described, all: fields['all'] === 'on' };
    return api.post('/api/v1/service-accounts', { body, headers: idempotencyKey(body) });
  };
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const saved = await save(fields);
    notify(account ? 'The service account is changed.' : 'The service account is created.');
    props.onClose();
    props.onSaved(saved);
  });
  return (
    <Dialog
      title={account ? `Change ${account.name}` : 'Create service account'}
      onClose={props.onClose}
      side
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(readFields(event.currentTarget));
        }}
      >
        <Input
          label="Name"
          name="name"
          required
          maxLength={100}
          autofocus
          defaultValue={account?.name ?? ''}
          error={error}
          hint="Of the program that will use it; the audit names it"
        />
        <RolesField kbs={kbs} given={account?.kbs ?? []} />
        {!account && (
          <label class="check">
            <input type="checkbox" name="all" /> Creates knowledge bases, which it then owns
          </label>
        )}
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action={account ? 'Save' : 'Create'} busy={busy} />
      </form>
    </Dialog>
  );
}
