import { useState } from 'preact/hooks';
import { defaultWords } from '../access-words.js';
import type { AccessSet, Document, Settings } from '../api.js';
import { RuleFields, readRule } from '../components/access-rule.js';
import { Alert } from '../components/basics.js';
import { Dialog, DialogButtons } from '../components/dialog.js';
import { readFields, Select } from '../components/field.js';
import { useChange, useShared } from '../load.js';

type Kind = 'default' | 'everyone' | 'own' | 'set' | 'nobody';

export function EditAccessDialog(props: {
  document: Document;
  sets: readonly AccessSet[];
  defaultAccess: Settings['default_access'];
  onClose: () => void;
  onChanged: () => void;
}) {
  const { document, sets } = props;
  const { api, notify } = useShared();
  const [kind, setKind] = useState(detectKind(document));
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    await api.patch('/api/v1/documents/{document_id}', {
      path: { document_id: document.id },
      body: toAccess(kind, fields),
    });
    notify('The access is changed. It holds from the next question on.');
    props.onChanged();
    props.onClose();
  });
  const choices: readonly (readonly [Kind, string])[] = [
    ['default', `the default: ${defaultWords(props.defaultAccess).toLowerCase()}`],
    ['everyone', 'everyone'],
    ['own', 'these users and groups'],
    ...(sets.length > 0 ? ([['set', 'whom an access set allows']] as const) : []),
    ['nobody', 'nobody'],
  ];
  return (
    <Dialog title={`Who may read “${document.title}”?`} onClose={props.onClose} side>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(readFields(event.currentTarget));
        }}
      >
        <Select
          label="Access"
          name="kind"
          initial={kind}
          autofocus
          hint={
            document.source_id === null
              ? undefined
              : 'Its source sets the access again where it says who may read its pages'
          }
          onChange={(event) => {
            setKind(event.currentTarget.value as Kind);
          }}
        >
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
        {kind === 'own' && <RuleFields rule={document.access ?? null} error={error} />}
        {kind === 'set' && (
          <Select
            label="Access set"
            name="access_set"
            initial={document.access_set ?? ''}
            error={error}
          >
            {sets.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <Alert error={error} />
        <DialogButtons onClose={props.onClose} action="Save" busy={busy} />
      </form>
    </Dialog>
  );
}

function detectKind({ access, access_set }: Document): Kind {
  if (typeof access_set === 'string') return 'set';
  if (!access) return 'default';
  const { allow, deny = [] } = access;
  if (allow.length === 0) return 'nobody';
  return allow.includes('everyone') && deny.length === 0 ? 'everyone' : 'own';
}

function toAccess(kind: Kind, fields: Record<string, string>) {
  switch (kind) {
    case 'default':
      return { access: null };
    case 'everyone':
      return { access: { allow: ['everyone'] } };
    case 'own':
      return { access: readRule(fields) };
    case 'set':
      return { access_set: fields['access_set'] ?? null };
    case 'nobody':
      return { access: { allow: [] } };
  }
}
