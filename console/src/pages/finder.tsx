import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useKnowledgeBases } from '../all-knowledge-bases.js';
import { Dialog } from '../components/dialog.js';
import { Icon, type IconName } from '../components/icon.js';
import { useLoad, useShared } from '../load.js';
import { listPageGroups, listServicePages } from '../navigation.js';
import { removeSecret } from '../without-secret.js';

/** A place that the user can go to. */
interface Place {
  readonly path: string;
  readonly icon: IconName;
  readonly label: string;
  /** What kind of place it is. */
  readonly kind: string;
}

const MOST = 8;
const PAUSE_MS = 150;

/** Goes to a page, a knowledge base, a document or a key by a few letters of its name. */
export function Finder({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const places = usePlaces(text.trim());
  const current = places[Math.min(chosen, places.length - 1)];
  const open = (place: Place | undefined) => {
    if (!place) return;
    onClose();
    go(place.path);
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form
        class="find"
        onSubmit={(event) => {
          event.preventDefault();
          open(current);
        }}
      >
        <input
          type="search"
          role="combobox"
          aria-label="Go to"
          aria-expanded="true"
          aria-controls="places"
          aria-activedescendant={current && toId(current)}
          autocomplete="off"
          autofocus
          dir="auto"
          placeholder="A page, knowledge base, document or key"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step === undefined || places.length === 0) return;
            event.preventDefault();
            setChosen((chosen + step + places.length) % places.length);
          }}
        />
        <ul id="places" role="listbox" aria-label="Places">
          {places.map((place) => (
            <li
              key={place.path}
              id={toId(place)}
              role="option"
              aria-selected={place === current}
              onClick={() => {
                open(place);
              }}
              onPointerMove={() => {
                setChosen(places.indexOf(place));
              }}
            >
              <Icon name={place.icon} />
              <span dir="auto">{place.label}</span>
              <span class="quiet">{place.kind}</span>
            </li>
          ))}
        </ul>
        <p class="quiet" role="status">
          {places.length === 0 ? 'Nothing fits.' : ''}
        </p>
      </form>
    </Dialog>
  );
}

const toId = ({ path }: Place) => `place ${path}`.replaceAll(/\W+/g, '-');

function usePlaces(text: string): readonly Place[] {
  const { isRunning } = useShared();
  const [location] = useLocation();
  const kbId = /^\/kbs\/(\w+)/.exec(location)?.[1];
  const kbs = useKnowledgeBases().value ?? [];
  const found = useFound(kbId, useDelayed(text));
  const words = text.toLowerCase();
  const pages =
    kbId === undefined
      ? []
      : listPageGroups(isRunning)
          .flatMap((group) => group.pages)
          .map(({ name, label, icon }): Place => ({
            ...{ path: `/kbs/${kbId}/${name}`, label, icon, kind: 'Page' },
          }));
  const others = kbs
    .filter(({ id }) => id !== kbId)
    .map(({ id, name }): Place => ({
      ...{ path: `/kbs/${id}`, icon: 'book', label: name, kind: 'Knowledge base' },
    }));
  const service = listServicePages(isRunning).map(({ name, label, icon }): Place => ({
    ...{ path: `/${name}`, icon, kind: 'Page' },
    label: name === 'audit' ? 'Audit of all knowledge bases' : label,
  }));
  const named = [...pages, ...others, ...service].filter(({ label }) =>
    label.toLowerCase().includes(words),
  );
  // Names that begin with the letters come first.
  const first = named.filter(({ label }) => label.toLowerCase().startsWith(words));
  const rest = named.filter((place) => !first.includes(place));
  return [...first, ...rest].slice(0, text === '' ? 2 * MOST : MOST).concat(found);
}

/** Documents by their titles, and keys by their names or prefixes. */
function useFound(kbId: string | undefined, text: string): readonly Place[] {
  const { value } = useLoad(
    async (api, signal): Promise<readonly Place[]> => {
      if (kbId === undefined || text === '') return [];
      const path = { kb_id: kbId };
      const query = { limit: MOST, q: removeSecret(text) };
      const [documents, keys] = await Promise.all([
        api.get('/api/v1/kbs/{kb_id}/documents', { path, query, signal }),
        api.get('/api/v1/kbs/{kb_id}/api-keys', { path, query, signal }),
      ]);
      return [
        ...documents.data.map(({ id, title }): Place => ({
          ...{ path: `/kbs/${kbId}/documents/${id}`, label: title },
          ...{ icon: 'document', kind: 'Document' },
        })),
        ...keys.data.map(({ id, name, prefix }): Place => ({
          ...{ path: `/kbs/${kbId}/keys?key=${id}`, label: `${name} (${prefix}…)` },
          ...{ icon: 'key', kind: 'API key' },
        })),
      ];
    },
    `found ${kbId ?? ''} ${text}`,
  );
  return value ?? [];
}

/** Returns the text after a pause in typing. */
function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      setDelayed(text);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return delayed;
}
