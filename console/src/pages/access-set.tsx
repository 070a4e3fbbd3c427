import type { AccessSet } from '../api.js';
import { RuleFields, readRule } from '../components/access-rule.js';
import { Alert, plural } from '../components/basics.js';
import { Dialog, DialogButtons } from '../components/dialog.js';
import { findChanges, readFields, Input } from '../components/field.js';
import { useIdempotencyKey } from '../idempotency.js';
import { useChange, useShared } from '../load.js';

/** Creates an access set, or changes `set`. */
export function AccessSetDialog(props: {
  kbId: string;
  set?: AccessSet;
  onClose: () => void;
  onSaved: () => void;
}) {
  const { set, kbId } = props;
  const { api, notify } = useShared();
  const idempotencyKey = useIdempotencyKey();
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const described = { name: fields['name'] ?? '', ...readRule(fields) };
    if (set) {
      const body = findChanges(described, set);
      const path = { access_set_id: set.id };
      await api.patch('/api/v1/access-sets/{access_set_id}', { path, body });
    } else {
      await api.post('/api/v1/kbs/{kb_id}/access-sets', {
        path: { kb_id: kbId },
        body: described,
        headers: idempotencyKey(described),
      });
    }
    notify('The access set is saved.');
    props.onSaved();
    props.onClose();
  });
  return (
    <Dialog title={set ? `Change ${set.name}` : 'Create access set'} onClose={props.onClose} side>
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
          defaultValue={set?.name ?? ''}
          error={error}
        />
        <RuleFields {...(set && { rule: set })} error={error} />
        {set && set.document_count > 0 && (
          <p>A change reaches {plural(set.document_count, 'document')} at once.</p>
        )}
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action={set ? 'Save' : 'Create'} busy={busy} />
      </form>
    </Dialog>
  );
}
