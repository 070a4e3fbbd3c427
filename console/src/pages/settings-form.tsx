import type { Settings } from '../api.js';
import { Alert } from '../components/basics.js';
import { changesOf, fieldsOf, Input, TextArea, toNumber } from '../components/field.js';
import { useChange, useShared } from '../load.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';

interface NumberField {
  readonly name: keyof Settings;
  readonly label: string;
  readonly hint: string;
  readonly step?: string;
}

/** An empty field gives a setting its default back. */
const ANSWERS: readonly NumberField[] = [
  { name: 'top_k', label: 'Passages for an answer', hint: 'At most' },
  { name: 'min_score', label: 'Least score', hint: 'Of a passage; none by default', step: 'any' },
  {
    name: 'answer_threshold',
    label: 'Answer threshold',
    hint: 'How much of a question the passages must speak of, 0 to 1',
    step: '0.01',
  },
  {
    name: 'temperature',
    label: 'Temperature',
    hint: 'Of the model; its own by default',
    step: '0.1',
  },
  {
    name: 'history_messages',
    label: 'Earlier messages',
    hint: 'Of a conversation, sent to the model',
  },
];
const READING: readonly NumberField[] = [
  { name: 'chunk_size', label: 'Words in a passage', hint: 'For documents read from now on' },
  { name: 'chunk_overlap', label: 'Words shared', hint: 'With the one before' },
];
const LIMITS: readonly NumberField[] = [
  { name: 'rate_limit_per_minute', label: 'Requests a minute', hint: 'Of each key' },
  {
    name: 'rate_limit_per_end_user',
    label: 'Requests of an end user',
    hint: 'A minute, by each key; no limit by default',
  },
  { name: 'daily_message_limit', label: 'Questions a day', hint: 'No limit by default' },
  { name: 'retention_days', label: 'Days kept', hint: 'Conversations; for ever by default' },
  { name: 'key_max_age_days', label: 'Days of a key', hint: 'New ones; for ever by default' },
];

export function SettingsForm(props: { settings: Settings; onSaved: () => void }) {
  const { settings } = props;
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    // Only what was changed here: another tab may have changed the rest.
    const body = changesOf(typed(fields), settings);
    if (Object.keys(body).length > 0) {
      await api.patch('/api/v1/kbs/{kb_id}/settings', { path: { kb_id: kb.id }, body });
    }
    notify('The settings are saved.');
    props.onSaved();
  });
  const numbers = (list: readonly NumberField[]) => (
    <div class="columns">
      {list.map(({ name, label, hint, step = '1' }) => (
        <Input
          key={name}
          label={label}
          name={name}
          type="number"
          step={step}
          defaultValue={String(settings[name] ?? '')}
          error={error}
          hint={hint}
        />
      ))}
    </div>
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(fieldsOf(event.currentTarget));
      }}
    >
      <fieldset disabled={!mayChange}>
        <h2>Answers</h2>
        <TextArea
          label="Instructions to the model"
          name="system_prompt"
          maxLength={8000}
          defaultValue={settings.system_prompt ?? ''}
          error={error}
        />
        <Input
          label="Said when the documents do not answer"
          name="refusal_text"
          maxLength={2000}
          defaultValue={settings.refusal_text}
          error={error}
        />
        {numbers(ANSWERS)}
        <Input
          label="Model"
          name="model"
          maxLength={200}
          defaultValue={settings.model ?? ''}
          error={error}
          hint="One that the operator lists; the service’s own if left empty; extractive quotes the documents"
        />
        <Check name="fallback_to_extractive" isOn={settings.fallback_to_extractive}>
          Quote the documents when the model fails
        </Check>
        <h2>Reading</h2>
        {numbers(READING)}
        <h2>Limits</h2>
        {numbers(LIMITS)}
        <TextArea
          label="Web pages that may ask with a key"
          name="allowed_origins"
          defaultValue={settings.allowed_origins?.join('\n') ?? ''}
          error={error}
          hint="One origin on each line, such as https://shop.example.com; any if left empty"
        />
        <Check name="no_origins" isOn={settings.allowed_origins?.length === 0}>
          No web page at all
        </Check>
        <Alert error={error} />
        <button class="primary" disabled={busy}>
          Save settings
        </button>
      </fieldset>
    </form>
  );
}

function Check({ name, isOn, children }: { name: string; isOn: boolean; children: string }) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={isOn} /> {children}
    </label>
  );
}

/** What the form says. */
function typed(fields: Record<string, string>) {
  const names = [...ANSWERS, ...READING, ...LIMITS].map(({ name }) => name);
  const { system_prompt = null, refusal_text = null, model = null, allowed_origins } = fields;
  return {
    ...Object.fromEntries(names.map((name) => [name, toNumber(fields[name])])),
    system_prompt,
    refusal_text,
    model,
    fallback_to_extractive: isOn(fields, 'fallback_to_extractive'),
    allowed_origins: isOn(fields, 'no_origins')
      ? []
      : (allowed_origins?.trim().split(/\s+/) ?? null),
  };
}

const isOn = (fields: Record<string, string>, name: string) => fields[name] === 'on';
