import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Settings } from '../api.js';
import { Alert, Loading, plural } from '../components/basics.js';
import { Confirm } from '../components/dialog.js';
import { fieldsOf, Input, TextArea, toNumber } from '../components/field.js';
import { useChange, useLoad, useShared } from '../load.js';
import { useKnowledgeBase } from './knowledge-base.js';

/** An empty field gives a setting its default back. */
const NUMBERS = [
  ['top_k', 'Passages for an answer', 'At most; 5 by default', 1],
  ['min_score', 'Least score of a passage', 'None by default', 'any'],
  [
    'answer_threshold',
    'Answer threshold',
    'How much of a question the passages must speak of, 0 to 1; calibrated by default',
    '0.01',
  ],
  ['temperature', 'Temperature of the model', 'The model’s own by default', '0.1'],
  ['history_messages', 'Earlier messages sent to the model', '', 1],
  ['chunk_size', 'Words in a passage', 'Documents are read again for a new size', 1],
  ['chunk_overlap', 'Words that passages share', '', 1],
  ['rate_limit_per_minute', 'Requests a minute and key', '6,000 by default', 1],
  ['daily_message_limit', 'Questions a day', 'Without a limit by default', 1],
  ['retention_days', 'Days that conversations are kept', 'For ever by default', 1],
  ['key_max_age_days', 'Days that a new API key may live', 'For ever by default', 1],
] as const;

export function SettingsPage() {
  const { kb } = useKnowledgeBase();
  const settings = useLoad(
    (api, signal) => api.get('/api/v1/kbs/{kb_id}/settings', { path: { kb_id: kb.id }, signal }),
    `settings ${kb.id}`,
  );
  if (!settings.value) return <Loading error={settings.error} />;
  return <SettingsForm settings={settings.value} />;
}

function SettingsForm({ settings }: { settings: Settings }) {
  const { kb, mayChange, isOwner, reload } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [, go] = useLocation();
  const [deleting, setDeleting] = useState(false);
  const path = { kb_id: kb.id };
  const describe = useChange(async ({ name = '', description }: Record<string, string>) => {
    await api.patch('/api/v1/kbs/{kb_id}', {
      path,
      body: { name, description: description ?? null },
    });
    notify('The name is changed.');
    reload();
  });
  const save = useChange(async (fields: Record<string, string>) => {
    const numbers = Object.fromEntries(NUMBERS.map(([name]) => [name, toNumber(fields[name])]));
    const origins = fields['allowed_origins'];
    await api.patch('/api/v1/kbs/{kb_id}/settings', {
      path,
      body: {
        ...numbers,
        system_prompt: fields['system_prompt'] ?? null,
        refusal_text: fields['refusal_text'] ?? null,
        model: fields['extractive'] === 'on' ? 'extractive' : null,
        fallback_to_extractive: fields['fallback_to_extractive'] === 'on',
        allowed_origins: origins === undefined ? null : origins.split(/\s+/),
      },
    });
    notify('The settings are saved.');
  });
  return (
    <div class="narrow">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void describe.run(fieldsOf(event.currentTarget));
        }}
      >
        <fieldset disabled={!mayChange}>
          <Input
            label="Name"
            name="name"
            required
            maxLength={100}
            defaultValue={kb.name}
            error={describe.error}
          />
          <TextArea
            label="Description"
            name="description"
            defaultValue={kb.description ?? ''}
            error={describe.error}
          />
          <Alert error={describe.error} />
          <button disabled={describe.busy}>Save</button>
        </fieldset>
      </form>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save.run(fieldsOf(event.currentTarget));
        }}
      >
        <h2>Answers</h2>
        <fieldset disabled={!mayChange}>
          <TextArea
            label="Instructions to the model"
            name="system_prompt"
            defaultValue={settings.system_prompt ?? ''}
            error={save.error}
          />
          <Input
            label="Said when the documents do not answer"
            name="refusal_text"
            defaultValue={settings.refusal_text}
            error={save.error}
          />
          <label class="check">
            <input
              type="checkbox"
              name="extractive"
              defaultChecked={settings.model === 'extractive'}
            />{' '}
            Quote the documents, without a model
          </label>
          <label class="check">
            <input
              type="checkbox"
              name="fallback_to_extractive"
              defaultChecked={settings.fallback_to_extractive}
            />{' '}
            Quote the documents when the model fails
          </label>
          {NUMBERS.map(([name, label, hint, step]) => (
            <Input
              key={name}
              label={label}
              name={name}
              type="number"
              step={step}
              defaultValue={settings[name] ?? ''}
              error={save.error}
              {...(hint !== '' && { hint })}
            />
          ))}
          <TextArea
            label="Web pages that may ask with a key"
            name="allowed_origins"
            defaultValue={settings.allowed_origins?.join('\n') ?? ''}
            error={save.error}
            hint="One origin on each line, such as https://shop.example.com; any if left empty"
          />
          <Alert error={save.error} />
          <button class="primary" disabled={save.busy}>
            Save settings
          </button>
        </fieldset>
      </form>
      {isOwner && (
        <section>
          <h2>Delete the knowledge base</h2>
          <button
            type="button"
            class="danger"
            onClick={() => {
              setDeleting(true);
            }}
          >
            Delete {kb.name}…
          </button>
        </section>
      )}
      {deleting && (
        <Confirm
          title={`Delete ${kb.name}?`}
          action="Delete knowledge base"
          phrase={kb.name}
          onClose={() => {
            setDeleting(false);
          }}
          onConfirm={async () => {
            await api.delete('/api/v1/kbs/{kb_id}', { path });
            notify(`${kb.name} is deleted.`);
            go('/');
          }}
        >
          <p>
            {plural(kb.document_count, 'document')}, all conversations and figures go with it, and
            its API keys stop at once. This cannot be undone.
          </p>
        </Confirm>
      )}
    </div>
  );
}
