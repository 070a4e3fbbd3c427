import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useKnowledgeBases } from '../all-knowledge-bases.js';
import { type Api, isNotFound, type KnowledgeBase } from '../api.js';
import type { IconName } from '../components/icon.js';
import { useLoad, useShared } from '../load.js';
import { findIdKind, listActions, listPageGroups, listServicePages } from '../navigation.js';
import { SETTING_NAMES, settingPath, settingSchema } from '../setting-schemas.js';
import { setShortcuts, useShortcutsSetting } from '../shortcuts.js';
import { setTheme, THEMES, useTheme } from '../theme.js';
import { removeSecret } from '../without-secret.js';

/** Something that the finder offers: a place to go to, or something to do. */
export interface Place {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  /** What kind of place it is. */
  readonly kind: string;
  /** Where it is; missing for what is done where one is. */
  readonly path?: string;
  readonly run?: () => void;
}

const MOST = 8;
const PAUSE_MS = 150;
/** Key prefixes are looked for in as many knowledge bases, since a key that leaked may be of any. */
const MOST_KNOWLEDGE_BASES = 20;

const ID = /^([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const KEY_PREFIX = /^rag_(?:live|test|admin)_/;

/** What fits the text: what has its words in its name, and what the service finds by it. */
export function usePlaces(text: string): readonly Place[] {
  const [location] = useLocation();
  const kbId = /^\/kbs\/(\w+)/.exec(location)?.[1];
  const kbs = useKnowledgeBases().value ?? [];
  const found = useFound(kbId, kbs, useDelayed(removeSecret(text)));
  const words = text.toLowerCase().split(/\s+/);
  const all = [
    ...useActions(kbs.find(({ id }) => id === kbId)),
    ...usePages(kbId, kbs),
    ...(text === '' ? [] : listSettings(kbId)),
  ];
  const named = all.filter(({ label }) =>
    words.every((word) => label.toLowerCase().includes(word)),
  );
  if (text === '') return named;
  // Names that begin with the letters come first.
  const [first, rest] = [true, false].map((isFirst) =>
    named.filter(({ label }) => label.toLowerCase().startsWith(text.toLowerCase()) === isFirst),
  );
  return [...(first ?? []), ...(rest ?? [])].slice(0, MOST).concat(found);
}

function useActions(kb: KnowledgeBase | undefined): readonly Place[] {
  const { isRunning, signOut, user, help } = useShared();
  const theme = useTheme();
  const hasShortcuts = useShortcutsSetting();
  const isOwner = kb?.role === 'owner';
  const ofKnowledgeBase = kb
    ? listActions(isRunning, { isOwner, mayChange: isOwner || kb.role === 'member' }).map(
        ({ label, icon, path }): Place => ({
          ...{ id: path, label, icon, kind: 'Action', path: `/kbs/${kb.id}/${path}` },
        }),
      )
    : [];
  const themes = THEMES.filter(([name]) => name !== theme).map(([name, , action]): Place => ({
    ...{ id: `theme-${name}`, label: action, icon: 'theme', kind: 'Action' },
    run: () => {
      setTheme(name);
    },
  }));
  const action = (id: string, icon: IconName, label: string, run: () => void): Place => ({
    ...{ id, icon, label, kind: 'Action', run },
  });
  return [
    ...ofKnowledgeBase,
    {
      ...{ id: 'new-kb', label: 'Create knowledge base', icon: 'book', kind: 'Action' },
      path: '/?open=new',
    },
    ...themes,
    action('shortcuts', 'keyboard', 'Show keyboard shortcuts', help),
    hasShortcuts
      ? action('shortcuts-off', 'keyboard', 'Switch single-key shortcuts off', () => {
          setShortcuts(false);
        })
      : action('shortcuts-on', 'keyboard', 'Switch single-key shortcuts on', () => {
          setShortcuts(true);
        }),
    ...(user === undefined ? [] : [action('sign-out', 'leave', 'Sign out', signOut)]),
  ];
}

function usePages(kbId: string | undefined, kbs: readonly KnowledgeBase[]): readonly Place[] {
  const { isRunning } = useShared();
  const pages =
    kbId === undefined
      ? []
      : listPageGroups(isRunning)
          .flatMap((group) => group.pages)
          .map(({ name, label, icon }): Place => ({
            ...{ id: `page-${name}`, path: `/kbs/${kbId}/${name}`, label, icon, kind: 'Page' },
          }));
  const others = kbs
    .filter(({ id }) => id !== kbId)
    .map(({ id, name }): Place => ({
      ...{ id, path: `/kbs/${id}`, icon: 'book', label: name, kind: 'Knowledge base' },
    }));
  const service = listServicePages(isRunning).map(({ name, label, icon }): Place => ({
    ...{ id: `service-${name}`, path: `/${name}`, icon, kind: 'Page' },
    label: name === 'audit' ? 'Audit of all knowledge bases' : label,
  }));
  return [...pages, ...others, ...service];
}

const listSettings = (kbId: string | undefined): readonly Place[] =>
  kbId === undefined
    ? []
    : SETTING_NAMES.map((name): Place => ({
        ...{ id: `setting-${name}`, icon: 'settings', kind: 'Setting' },
        label: settingSchema(name).title,
        path: `/kbs/${kbId}/settings/${settingPath(name)}`,
      }));

/** An object by its id; else documents by their titles, and keys by their names or prefixes. */
function useFound(
  kbId: string | undefined,
  kbs: readonly KnowledgeBase[],
  text: string,
): readonly Place[] {
  const { isRunning } = useShared();
  const { value } = useLoad(
    async (api, signal): Promise<readonly Place[]> => {
      const kind = findIdKind(isRunning, ID.exec(text)?.[1] ?? '');
      if (kind) {
        try {
          const { label, path } = await kind.find(api, text, signal);
          return [{ id: text, icon: kind.icon, label, kind: kind.kind, path }];
        } catch (error) {
          if (isNotFound(error)) return [];
          throw error;
        }
      }
      if (text === '') return [];
      if (!KEY_PREFIX.test(text)) {
        return kbId === undefined
          ? []
          : (
              await Promise.all([
                findDocuments(api, kbId, text, signal),
                findKeys(api, kbId, text, signal),
              ])
            ).flat();
      }
      const here = kbId === undefined ? [] : await findKeys(api, kbId, text, signal);
      if (here.length > 0) return here;
      const others = kbs.filter(({ id }) => id !== kbId).slice(0, MOST_KNOWLEDGE_BASES);
      return (await Promise.all(others.map(({ id }) => findKeys(api, id, text, signal)))).flat();
    },
    `found ${kbId ?? ''} ${KEY_PREFIX.test(text) ? kbs.length : ''} ${text}`,
  );
  return value ?? [];
}

async function findDocuments(
  api: Api,
  kbId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly Place[]> {
  const { data } = await api.get('/api/v1/kbs/{kb_id}/documents', {
    ...{ path: { kb_id: kbId }, query: { limit: MOST, q }, signal },
  });
  return data.map(({ id, title }): Place => ({
    ...{ id, path: `/kbs/${kbId}/documents/${id}`, label: title },
    ...{ icon: 'document', kind: 'Document' },
  }));
}

async function findKeys(
  api: Api,
  kbId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly Place[]> {
  const { data } = await api.get('/api/v1/kbs/{kb_id}/api-keys', {
    ...{ path: { kb_id: kbId }, query: { limit: MOST, q }, signal },
  });
  return data.map(({ id, name, prefix }): Place => ({
    ...{ id, path: `/kbs/${kbId}/keys?key=${id}`, label: `${name} (${prefix}…)` },
    ...{ icon: 'key', kind: 'API key' },
  }));
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
