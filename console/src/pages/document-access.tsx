import { useState } from 'preact/hooks';
import { checkWords, defaultWords, toPrincipals, ruleWords } from '../access-words.js';
import type { AccessSet, Document, Settings } from '../api.js';
import { PersonFields } from '../components/access-rule.js';
import { Alert, Loading } from '../components/basics.js';
import { readFields } from '../components/field.js';
import { loadAllRows, useChange, useLoad, useShared } from '../load.js';
import { EditAccessDialog } from './edit-access.js';

/** The readers of a document, shown to users who may change them. */
export function DocumentAccess(props: { document: Document; onChanged: () => void }) {
  const { document } = props;
  const [changing, setChanging] = useState(false);
  const path = { kb_id: document.kb_id };
  const loaded = useLoad(
    async (api, signal) => ({
      settings: await api.get('/api/v1/kbs/{kb_id}/settings', { path, signal }),
      sets: await loadAllRows((query) =>
        api.get('/api/v1/kbs/{kb_id}/access-sets', { path, query, signal }),
      ),
    }),
    `access of ${document.id} ${document.access_set ?? ''}`,
  );
  return (
    <section aria-labelledby="access">
      <div class="heading section">
        <h2 id="access">Who may read it</h2>
        {loaded.value && (
          <button
            type="button"
            onClick={() => {
              setChanging(true);
            }}
          >
            Change access…
          </button>
        )}
      </div>
      {loaded.value ? (
        <p>{accessWords(document, loaded.value)}</p>
      ) : (
        <Loading error={loaded.error} />
      )}
      <AccessCheck documentId={document.id} />
      {changing && loaded.value && (
        <EditAccessDialog
          document={document}
          sets={loaded.value.sets}
          defaultAccess={loaded.value.settings.default_access}
          onClose={() => {
            setChanging(false);
          }}
          onChanged={props.onChanged}
        />
      )}
    </section>
  );
}

function accessWords(
  { access, access_set }: Document,
  { settings, sets }: { settings: Settings; sets: readonly AccessSet[] },
): string {
  if (access) return `${ruleWords(access)}.`;
  const set = sets.find(({ id }) => id === access_set);
  if (set) return `${ruleWords(set)}, as the access set “${set.name}” says.`;
  return `${defaultWords(settings.default_access)}. It has no rule of its own.`;
}

/** Checks whether a person may read the document, and by which entry of its rule. */
function AccessCheck({ documentId }: { documentId: string }) {
  const { api } = useShared();
  const [verdict, setVerdict] = useState('');
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    setVerdict('');
    const answer = await api.post('/api/v1/documents/{document_id}/access-check', {
      path: { document_id: documentId },
      body: { principals: toPrincipals(fields['user'], fields['groups']) },
    });
    setVerdict(checkWords(answer));
  });
  return (
    <details class="narrow">
      <summary>Check a person’s access</summary>
      <form
        onInput={() => {
          setVerdict('');
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void run(readFields(event.currentTarget));
        }}
      >
        <PersonFields />
        <Alert error={error} />
        <p class="actions">
          <button disabled={busy}>Check</button>
        </p>
        <p role="status">{verdict}</p>
      </form>
    </details>
  );
}
