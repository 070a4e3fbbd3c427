import { useState } from 'preact/hooks';
import type { Api, Document } from '../api.js';
import { useLoad } from '../load.js';
import { Alert } from './basics.js';

const FOUND = 5;

type Named = Pick<Document, 'id' | 'title'>;

/** Lets the user choose documents of a knowledge base by title. */
export function DocumentChoice(props: {
  kbId: string;
  /** The ids of those chosen at first. */
  initial: readonly string[];
  onChange: (ids: string[]) => void;
}) {
  const { kbId, initial, onChange } = props;
  const [q, setQ] = useState('');
  const [added, setAdded] = useState<readonly Named[]>([]);
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const before = useLoad(
    (api, signal) => Promise.all(initial.map((id) => loadTitle(api, id, signal))),
    `titles ${initial.join()}`,
  );
  const named: readonly Named[] = before.value ?? initial.map((id) => ({ id, title: id }));
  const chosen = [...named, ...added].filter(({ id }) => !removed.has(id));
  const found = useLoad(
    (api, signal) =>
      q === ''
        ? Promise.resolve(undefined)
        : api.get('/api/v1/kbs/{kb_id}/documents', {
            path: { kb_id: kbId },
            query: { q, limit: FOUND },
            signal,
          }),
    `documents by title ${kbId} ${q}`,
  );
  const change = (nextAdded: readonly Named[], nextRemoved: ReadonlySet<string>) => {
    setAdded(nextAdded);
    setRemoved(nextRemoved);
    onChange([...named, ...nextAdded].filter(({ id }) => !nextRemoved.has(id)).map(({ id }) => id));
  };
  const others = found.value?.data.filter(({ id }) => !chosen.some((each) => each.id === id));
  return (
    <fieldset>
      <legend>Documents</legend>
      <p class="quiet">That say the same; the answer names them as its sources.</p>
      {chosen.length > 0 && (
        <ul class="chosen-documents">
          {chosen.map(({ id, title }) => (
            <li key={id}>
              <span dir="auto">{title}</span>
              <button
                type="button"
                class="link"
                aria-label={`Remove ${title}`}
                onClick={() => {
                  change(
                    added.filter((each) => each.id !== id),
                    new Set([...removed, id]),
                  );
                }}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        type="search"
        aria-label="Find documents by title"
        placeholder="Find documents by title"
        autocomplete="off"
        maxLength={255}
        value={q}
        onInput={(event) => {
          setQ(event.currentTarget.value.trim());
        }}
        onKeyDown={(event) => {
          // Enter would submit the form.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <Alert error={found.error ?? before.error} />
      {others && others.length > 0 && (
        <ul class="chosen-documents" aria-label="Documents found">
          {others.map(({ id, title }) => (
            <li key={id}>
              <span dir="auto">{title}</span>
              <button
                type="button"
                class="link"
                aria-label={`Add ${title}`}
                onClick={() => {
                  const rest = new Set(removed);
                  rest.delete(id);
                  const isKnown = [...named, ...added].some((each) => each.id === id);
                  change(isKnown ? added : [...added, { id, title }], rest);
                  setQ('');
                }}
              >
                Add
              </button>
            </li>
          ))}
        </ul>
      )}
      {others?.length === 0 && <p class="quiet">No other document has this in its title.</p>}
    </fieldset>
  );
}

const loadTitle = (api: Api, id: string, signal: AbortSignal): Promise<Named> =>
  api
    .get('/api/v1/documents/{document_id}', { path: { document_id: id }, signal })
    .catch(() => ({ id, title: id }));
