import { useRef, useState } from 'preact/hooks';
import type { ConnectedSource } from '../../api.js';
import { Alert } from '../../components/basics.js';
import { Dialog, DialogButtons } from '../../components/dialog.js';
import { findChanges, readFields, Input, Select, TextArea } from '../../components/field.js';
import { useChange, useShared } from '../../load.js';
import { getForm, type FormField, SOURCE_TYPES, formatValue, readValues } from './source-forms.js';

type Schedule = NonNullable<ConnectedSource['schedule']>;

/** Connects a source, or changes `source`. */
export function SourceDialog(props: {
  kbId: string;
  source?: ConnectedSource;
  onClose: () => void;
  onSaved: (source: ConnectedSource) => void;
}) {
  const { kbId, source } = props;
  const { api } = useShared();
  const form = useRef<HTMLFormElement>(null);
  const [type, setType] = useState(source?.type ?? 'website');
  const { config, credentials, isRunOutside = false } = getForm(type);
  const read = (element: HTMLFormElement) => {
    const secrets = readValues(credentials, 'credentials', element);
    return {
      config: readValues(config, 'config', element),
      // If they are left empty, the stored credentials stay.
      ...(Object.keys(secrets).length > 0 && { credentials: secrets }),
    };
  };
  const save = useChange(async (element: HTMLFormElement) => {
    const { name = '', on_delete } = readFields(element);
    const { credentials: secrets, ...address } = read(element);
    const fields = {
      ...{ name, ...address, schedule: isRunOutside ? null : readSchedule(element) },
      on_delete: on_delete === 'keep' ? ('keep' as const) : ('delete' as const),
    };
    props.onSaved(
      source
        ? await api.patch('/api/v1/sources/{source_id}', {
            path: { source_id: source.id },
            body: { ...findChanges(fields, source), ...(secrets && { credentials: secrets }) },
          })
        : await api.post('/api/v1/kbs/{kb_id}/sources', {
            path: { kb_id: kbId },
            body: { ...fields, type: type as Type, ...(secrets && { credentials: secrets }) },
          }),
    );
  });
  const [tested, setTested] = useState<string>();
  const test = useChange(async () => {
    if (!form.current?.reportValidity()) return;
    setTested(undefined);
    const address = read(form.current);
    if (source?.has_credentials === true && !address.credentials) {
      throw new Error('Type the credentials to test them. A preview uses the stored ones.');
    }
    const { ok, error } = await api.post('/api/v1/kbs/{kb_id}/sources/test', {
      path: { kb_id: kbId },
      body: { type: type as Type, ...address },
    });
    if (!ok) throw new Error(error?.message ?? 'The source cannot be reached.');
    setTested('The source can be read.');
  });
  const error = save.error ?? test.error;
  const fieldsFrom = (group: 'config' | 'credentials', fields: readonly FormField[]) =>
    fields.map((field) => (
      <SourceField
        key={`${type} ${field.name}`}
        group={group}
        field={field}
        value={group === 'config' ? source?.config[field.name] : undefined}
        isStored={group === 'credentials' && source?.has_credentials === true}
        error={error}
      />
    ));
  return (
    <Dialog title={source ? 'Change the source' : 'Connect a source'} onClose={props.onClose} side>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void save.run(event.currentTarget);
        }}
        onInput={() => {
          setTested(undefined);
        }}
      >
        {!source && (
          <Select
            label="Kind"
            name="type"
            initial={type}
            autofocus
            onChange={(event) => {
              setType(event.currentTarget.value);
            }}
          >
            {SOURCE_TYPES.map((each) => (
              <option key={each} value={each}>
                {getForm(each).label}
              </option>
            ))}
          </Select>
        )}
        <Input
          label="Name"
          name="name"
          required
          maxLength={200}
          defaultValue={source?.name ?? ''}
          error={error}
        />
        {fieldsFrom('config', config)}
        {credentials.length > 0 && (
          <fieldset>
            <legend>Credentials</legend>
            <small class="quiet">
              {source?.has_credentials === true
                ? 'Leave them empty to keep the stored ones.'
                : 'Stored encrypted, and never shown again.'}
            </small>
            {fieldsFrom('credentials', credentials)}
          </fieldset>
        )}
        {!isRunOutside && <ScheduleFields schedule={source?.schedule} error={error} />}
        <Select
          label="A document that is deleted there"
          name="on_delete"
          initial={source?.on_delete ?? 'delete'}
        >
          <option value="delete">is deleted here, too</option>
          <option value="keep">stays here</option>
        </Select>
        <Alert error={error} />
        {!isRunOutside && (
          <p class="actions">
            <button type="button" disabled={test.busy} onClick={() => void test.run()}>
              Test the connection
            </button>
            <span role="status">{test.busy ? 'Connecting…' : tested}</span>
          </p>
        )}
        <DialogButtons
          onClose={props.onClose}
          action={source ? 'Save' : 'Connect'}
          busy={save.busy}
        />
      </form>
    </Dialog>
  );
}

type Type = 'website' | 's3' | 'git' | 'folder' | 'confluence' | 'webdav' | 'imap' | 'oikb';

function SourceField(props: {
  group: 'config' | 'credentials';
  field: FormField;
  value: unknown;
  /** Whether it may be left empty, because a value is stored. */
  isStored: boolean;
  error: unknown;
}) {
  const { name, label, kind, required = false, hint } = props.field;
  const attributes = {
    ...{ label, hint, name: `${props.group}.${name}`, error: props.error },
    required: required && !props.isStored,
    defaultValue: formatValue(props.value, kind),
  };
  if (kind === 'lines' || kind === 'json') return <TextArea {...attributes} spellcheck={false} />;
  if (kind === 'number') return <Input {...attributes} type="number" min={0} />;
  if (kind === 'secret') return <Input {...attributes} type="password" autocomplete="off" />;
  return <Input {...attributes} type={kind === 'url' ? 'url' : 'text'} autocomplete="off" />;
}

function ScheduleFields({
  schedule,
  error,
}: {
  schedule?: Schedule | null | undefined;
  error: unknown;
}) {
  const [kind, setKind] = useState(
    schedule === null ? 'none' : schedule?.cron === undefined ? 'minutes' : 'cron',
  );
  return (
    <div class="columns">
      <Select
        label="Runs"
        name="runs"
        initial={kind}
        onChange={(event) => {
          setKind(event.currentTarget.value);
        }}
      >
        <option value="minutes">at an interval</option>
        <option value="cron">at set times</option>
        <option value="none">only when told to</option>
      </Select>
      {kind === 'minutes' && (
        <Input
          label="Minutes between runs"
          name="schedule.every_minutes"
          type="number"
          required
          min={1}
          defaultValue={String(schedule?.every_minutes ?? 60)}
          error={error}
        />
      )}
      {kind === 'cron' && (
        <>
          <Input
            label="Cron expression"
            name="schedule"
            required
            defaultValue={schedule?.cron ?? '0 6 * * *'}
            hint="Minute, hour, day, month, day of the week"
            error={error}
          />
          <Input
            label="Time zone"
            name="schedule.timezone"
            defaultValue={schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
            error={error}
          />
        </>
      )}
    </div>
  );
}

function readSchedule(form: HTMLFormElement): Schedule | null {
  const fields = readFields(form);
  const { runs, schedule: cron = '', 'schedule.timezone': timezone } = fields;
  if (runs === 'minutes') return { every_minutes: Number(fields['schedule.every_minutes']) };
  return runs === 'cron' ? { cron, ...(timezone !== undefined && { timezone }) } : null;
}
