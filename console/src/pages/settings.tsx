import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Alert, Loading, plural } from '../components/basics.js';
import { Confirm } from '../components/dialog.js';
import { findChanges, readFields, Input, TextArea } from '../components/field.js';
import { NotFound } from '../components/not-found.js';
import { PageHeader } from '../components/page-header.js';
import { SaveBar } from '../components/save-bar.js';
import { useChange, useLoad, useShared } from '../load.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { SETTING_GROUPS, toGroupPath } from '../setting-schemas.js';
import { discardUnsaved, useUnsaved } from '../unsaved.js';
import { SettingsFacts, SettingsForm } from './settings-form.js';

interface Group {
  readonly name: string;
  readonly label: string;
}

const GENERAL: Group = { name: 'general', label: 'General' };
const DANGER: Group = { name: 'danger', label: 'Danger zone' };

/** The first group of the settings. */
export const SettingsPage = () => <SettingsGroupPage id={GENERAL.name} />;

/** One group of the settings, with its own address and its own *Save*. */
export function SettingsGroupPage({ id }: { id: string }) {
  const { kb, mayChange, isOwner } = useKnowledgeBase();
  const { value, error, reload } = useLoad(
    (api, signal) => api.get('/api/v1/kbs/{kb_id}/settings', { path: { kb_id: kb.id }, signal }),
    `settings ${kb.id}`,
  );
  const group = SETTING_GROUPS.find((each) => toGroupPath(each) === id);
  const groups = [
    GENERAL,
    ...SETTING_GROUPS.map((label) => ({ name: toGroupPath(label), label })),
    ...(isOwner ? [DANGER] : []),
  ];
  if (!groups.some(({ name }) => name === id)) {
    return <NotFound href={`/kbs/${kb.id}/settings`} place="Settings" />;
  }
  return (
    <div class="settings narrow">
      <PageHeader title="Settings" />
      <nav class="tabs" aria-label="Groups of settings">
        {groups.map(({ name, label }) => (
          <Link
            key={name}
            href={`/kbs/${kb.id}/settings/${name}`}
            aria-current={name === id ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {!mayChange && <p class="quiet">Members and owners change them.</p>}
      {id === GENERAL.name && (mayChange ? <NameForm /> : <NameFacts />)}
      {group && !value && <Loading error={error} />}
      {group &&
        value &&
        (mayChange ? (
          <SettingsForm key={group} group={group} settings={value} onSaved={reload} />
        ) : (
          <SettingsFacts group={group} settings={value} />
        ))}
      {group === 'Search' && mayChange && <ReadAgain />}
      {id === DANGER.name && <Deletion />}
    </div>
  );
}

function NameFacts() {
  const { kb } = useKnowledgeBase();
  return (
    <dl class="facts">
      <dt>Name</dt>
      <dd dir="auto">{kb.name}</dd>
      <dt>Description</dt>
      <dd dir="auto">{kb.description ?? <span class="quiet">not set</span>}</dd>
    </dl>
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
        <button class="primary" disabled={busy}>
          Save
        </button>
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
