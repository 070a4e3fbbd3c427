import { useState } from 'preact/hooks';
import { defaultWords, ruleWords } from '../access-words.js';
import type { AccessSet, Settings } from '../api.js';
import { Alert, Empty, Loading, number, plural, RowAction } from '../components/basics.js';
import { Confirm } from '../components/dialog.js';
import { readFields, Select } from '../components/field.js';
import { PageHeader } from '../components/page-header.js';
import { Table } from '../components/table.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { useChange, useLoad, useShared } from '../load.js';
import { usePagedRows } from '../paging.js';
import { Link } from '../routing.js';
import { AccessSetDialog } from './access-set.js';

/** The default access of documents without a rule, and the access sets that documents share. */
export function AccessPage() {
  const { mayChange } = useKnowledgeBase();
  return (
    <>
      <PageHeader title="Access" lead="Whose questions may be answered from which documents." />
      <DefaultAccess />
      {mayChange ? (
        <AccessSets />
      ) : (
        <p class="quiet">Members and owners change who may read which document.</p>
      )}
    </>
  );
}

const DEFAULTS: readonly Settings['default_access'][] = ['members', 'closed'];

function DefaultAccess() {
  const { kb, mayChange } = useKnowledgeBase();
  const { api, notify } = useShared();
  const path = { kb_id: kb.id };
  const settings = useLoad(
    (api, signal) => api.get('/api/v1/kbs/{kb_id}/settings', { path, signal }),
    `settings ${kb.id}`,
  );
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const access = DEFAULTS.find((each) => each === fields['default_access']) ?? 'members';
    await api.patch('/api/v1/kbs/{kb_id}/settings', { path, body: { default_access: access } });
    notify('The default is saved.');
    settings.reload();
  });
  if (!settings.value) return <Loading error={settings.error} />;
  if (!mayChange) {
    return (
      <dl class="facts">
        <dt>Documents without a rule are read by</dt>
        <dd>{defaultWords(settings.value.default_access).toLowerCase()}</dd>
      </dl>
    );
  }
  return (
    <form
      class="narrow"
      onSubmit={(event) => {
        event.preventDefault();
        void run(readFields(event.currentTarget));
      }}
    >
      <Select
        label="Documents without a rule are read by"
        name="default_access"
        initial={settings.value.default_access}
        error={error}
        hint="A document’s page has its own rule. A change holds from the next question on"
      >
        {DEFAULTS.map((access) => (
          <option key={access} value={access}>
            {defaultWords(access).toLowerCase()}
          </option>
        ))}
      </Select>
      <Alert error={error} />
      <button disabled={busy}>Save the default</button>
    </form>
  );
}

function AccessSets() {
  const { kb } = useKnowledgeBase();
  const { api, notify } = useShared();
  const [edited, setEdited] = useState<AccessSet | 'new'>();
  const [deleting, setDeleting] = useState<AccessSet>();
  const rows = usePagedRows<AccessSet>(
    (api, query, signal) =>
      api.get('/api/v1/kbs/{kb_id}/access-sets', { path: { kb_id: kb.id }, query, signal }),
    `access sets ${kb.id}`,
  );
  const create = (
    <button
      type="button"
      class="primary"
      onClick={() => {
        setEdited('new');
      }}
    >
      Create access set
    </button>
  );
  return (
    <>
      <div class="heading section">
        <h2>Access sets</h2>
        {rows.value && rows.value.length > 0 && create}
      </div>
      <Table
        caption="Access sets"
        rows={rows}
        getKey={({ id }) => id}
        empty={
          <Empty title="No access sets yet">
            <p>A rule with a name. One change of it reaches all documents that have it.</p>
            {create}
          </Empty>
        }
        columns={[
          {
            name: 'Name',
            cell: (set) => (
              <button
                type="button"
                class="link"
                onClick={() => {
                  setEdited(set);
                }}
              >
                {set.name}
              </button>
            ),
          },
          { name: 'Who may read', cell: ruleWords },
          {
            name: 'Documents',
            kind: 'numeric',
            cell: (set) => <DocumentsOf set={set}>{number(set.document_count)}</DocumentsOf>,
          },
          {
            name: 'Actions',
            kind: 'actions',
            cell: (set) => (
              <RowAction
                label={`Delete ${set.name}`}
                onPress={() => {
                  setDeleting(set);
                }}
              >
                Delete
              </RowAction>
            ),
          },
        ]}
      />
      {edited !== undefined && (
        <AccessSetDialog
          kbId={kb.id}
          {...(edited !== 'new' && { set: edited })}
          onClose={() => {
            setEdited(undefined);
          }}
          onSaved={rows.reload}
        />
      )}
      {deleting && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          action="Delete access set"
          onClose={() => {
            setDeleting(undefined);
          }}
          onConfirm={async () => {
            await api.delete('/api/v1/access-sets/{access_set_id}', {
              path: { access_set_id: deleting.id },
            });
            notify('The access set is deleted.');
            rows.reload();
          }}
        >
          {deleting.document_count === 0 ? (
            <p>No document has it.</p>
          ) : (
            <p>
              <DocumentsOf set={deleting}>
                {plural(deleting.document_count, 'document')}
              </DocumentsOf>{' '}
              {deleting.document_count === 1 ? 'has' : 'have'} it. It can be deleted when they have
              another rule.
            </p>
          )}
        </Confirm>
      )}
    </>
  );
}

function DocumentsOf({ set, children }: { set: AccessSet; children: string }) {
  return set.document_count === 0 ? (
    <>{children}</>
  ) : (
    <Link href={`/kbs/${set.kb_id}/documents?access_set=${set.id}`}>{children}</Link>
  );
}
