import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { Settings } from '../api.js';
import { BudgetFields, readBudget } from '../components/budget-fields.js';
import { Alert, Loading, plural } from '../components/basics.js';
import { Confirm } from '../components/dialog.js';
import { findChanges, readFields, Input, TextArea } from '../components/field.js';
import { PageHeader } from '../components/page-header.js';
import { SaveBar } from '../components/save-bar.js';
import { useChange, useLoad, useShared } from '../load.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { discardUnsaved, useUnsaved } from '../unsaved.js';
import { SettingsFacts, SettingsForm } from './settings-form.js';

export function SettingsPage() {
  const { kb, mayChange, isOwner } = useKnowledgeBase();
  const settings = useLoad(
    (api, signal) => api.get('/api/v1/kbs/{kb_id}/settings', { path: { kb_id: kb.id }, signal }),
    `settings ${kb.id}`,
  );
  const { value, error, reload } = settings;
  return (
    <div class="settings narrow">
      <PageHeader title="Settings" />
      {!value && <Loading error={error} />}
      {value && !mayChange && (
        <>
          <p class="quiet">Members and owners change them.</p>
          <SettingsFacts settings={value} />
        </>
      )}
      {value && mayChange && (
        <>
          <NameForm />
          <SettingsForm settings={value} onSaved={reload} />
          <BudgetForm settings={value} onSaved={reload} />
          <ReadAgain />
          {isOwner && <Deletion />}
        </>
      )}
    </div>
  );
}

function NameForm() {
  const { kb, reload } = useKnowledgeBase();
  const { api, notify } = useShared();
  const { guard, isDirty, sending } = useUnsaved();
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const settle = sending();
    const { name = '', description = null } = fields;
    const body = findChanges({ name, description }, kb);
    if (Object.keys(body).length > 0) {
      await api.patch('/api/v1/kbs/{kb_id}', { path: { kb_id: kb.id }, body });
    }
    settle();
    notify('Name and description are saved.');
    reload();
  });
  return (
    <form
      {...guard}
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
        defaultValue={kb.name}
        error={error}
      />
      <TextArea
        label="Description"
        name="description"
        maxLength={1000}
        defaultValue={kb.description ?? ''}
        error={error}
      />
      <Alert error={error} />
      <SaveBar isDirty={isDirty}>
        <button disabled={busy}>Save name and description</button>
      </SaveBar>
    </form>
  );
}

function BudgetForm(props: { settings: Settings; onSaved: () => void }) {
  const { kb } = useKnowledgeBase();
  const { api, notify } = useShared();
  const { guard, isDirty, sending } = useUnsaved();
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const settle = sending();
    const body = { budget_per_end_user: readBudget(fields) };
    await api.patch('/api/v1/kbs/{kb_id}/settings', { path: { kb_id: kb.id }, body });
    settle();
    notify('The budget is saved.');
    props.onSaved();
  });
  return (
    <form
      {...guard}
      onSubmit={(event) => {
        event.preventDefault();
        void run(readFields(event.currentTarget));
      }}
    >
      <BudgetFields
        legend="Budget of each end user"
        budget={props.settings.budget_per_end_user}
        error={error}
        hint="Any amount, if left empty"
      />
      <Alert error={error} />
      <SaveBar isDirty={isDirty}>
        <button disabled={busy}>Save the budget</button>
      </SaveBar>
    </form>
  );
}

function ReadAgain() {
  const { kb } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [asking, setAsking] = useState(false);
  if (kb.document_count === 0) return null;
  return (
    <section>
      <h2>Read all documents again</h2>
      <p>A new size of passages holds for documents that are read from then on.</p>
      <button
        type="button"
        onClick={() => {
          setAsking(true);
        }}
      >
        Read all again…
      </button>
      {asking && (
        <Confirm
          title="Read all documents again?"
          action="Read all again"
          isHarmless
          onClose={() => {
            setAsking(false);
          }}
          onConfirm={async () => {
            const path = { kb_id: kb.id };
            const { documents } = await api.post('/api/v1/kbs/{kb_id}/reindex', { path });
            notify(`${plural(documents, 'document')} will be read again.`);
          }}
        >
          <p>
            {plural(kb.document_count, 'document')} will be read in the background. Their passages
            serve until the new ones are ready.
          </p>
        </Confirm>
      )}
    </section>
  );
}

function Deletion() {
  const { kb } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [, go] = useLocation();
  const [asking, setAsking] = useState(false);
  return (
    <section>
      <h2>Delete the knowledge base</h2>
      <p>Its documents, conversations and API keys go with it.</p>
      <button
        type="button"
        class="danger"
        onClick={() => {
          setAsking(true);
        }}
      >
        <span>
          Delete <bdi>{kb.name}</bdi>…
        </span>
      </button>
      {asking && (
        <Confirm
          title={`Delete ${kb.name}?`}
          action="Delete knowledge base"
          phrase={kb.name}
          onClose={() => {
            setAsking(false);
          }}
          onConfirm={async () => {
            await api.delete('/api/v1/kbs/{kb_id}', { path: { kb_id: kb.id } });
            discardUnsaved();
            notify(`${kb.name} is deleted.`);
            go('/');
          }}
        >
          <p>
            {plural(kb.document_count, 'document')} with {plural(kb.chunk_count, 'passage')}, all
            conversations, figures and webhooks go with it, and its API keys stop at once. This
            cannot be undone.
          </p>
        </Confirm>
      )}
    </section>
  );
}
