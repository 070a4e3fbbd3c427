import type { ComponentType } from 'preact';
import type { Api } from './api.js';
import type { IconName } from './components/icon.js';
import { IDS, KNOWLEDGE_BASE_ACTIONS, KNOWLEDGE_BASE_PAGES, SERVICE_PAGES } from './pages/pages.js';

/** The groups of the sidebar of a knowledge base, in their order. */
const GROUPS = ['', 'Content', 'Answers', 'Connect', 'Usage', 'Manage'] as const;

interface Entry {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  readonly icon: IconName;
  /** Its place among the others of its group or, without groups, of all. */
  readonly position: number;
  /** The key that leads there after `g`. */
  readonly shortcut?: string;
  readonly Page: ComponentType;
  /** The page of one of the objects that the page lists. */
  readonly Detail?: ComponentType<{ id: string }>;
}

export interface KnowledgeBasePage extends Entry {
  readonly group: (typeof GROUPS)[number];
}

/** A page that belongs to no knowledge base. */
export type ServicePage = Entry;

/** A page below that of one object: `/{page}/{id}/{part}/…`. */
export interface PartPage {
  readonly page: string;
  readonly part: string;
  /** `rest` has what follows in the path. */
  readonly Page: ComponentType<{ id: string; rest: readonly string[] }>;
}

/** A page that a link leads to, and that no list names. */
export interface UnlistedPage {
  readonly name: string;
  readonly Page: ComponentType;
}

/** Something that the finder does, by an address that the page understands, such as `keys?open=new`. */
export interface Action {
  readonly label: string;
  readonly icon: IconName;
  /** Below the address of the knowledge base. */
  readonly path: string;
  /** The lowest role that may do it; everybody if it is missing. */
  readonly role?: 'member' | 'owner';
}

/** A kind of objects that the finder opens by a pasted id. */
export interface IdKind {
  /** The prefix of the ids, such as `doc`. */
  readonly prefix: string;
  /** What such an object is called. */
  readonly kind: string;
  readonly icon: IconName;
  /** Finds the name of an object, and the address at which the console shows it, whatever page is open. */
  readonly find: (
    api: Api,
    id: string,
    signal: AbortSignal,
  ) => Promise<{ readonly label: string; readonly path: string }>;
}

/** What a plugin adds to the console: the export `pages` of its `pages.ts`. */
export interface PluginPages {
  readonly ofKnowledgeBase?: readonly KnowledgeBasePage[];
  readonly ofService?: readonly ServicePage[];
  readonly parts?: readonly PartPage[];
  readonly unlisted?: readonly UnlistedPage[];
  /** What the finder does in a knowledge base. */
  readonly actions?: readonly Action[];
  /** What the finder opens by an id. */
  readonly ids?: readonly IdKind[];
}

type IsRunning = (plugin: string) => boolean;

const PLUGINS: readonly (readonly [string, PluginPages])[] = Object.entries(
  import.meta.glob<PluginPages>('./plugins/*/pages.ts', { eager: true, import: 'pages' }),
).map(([path, pages]) => [path.split('/')[2] ?? '', pages]);

const listRunning = (isRunning: IsRunning) =>
  PLUGINS.filter(([name]) => isRunning(name)).map(([, pages]) => pages);

const byPosition = (a: Entry, b: Entry) => a.position - b.position;

/** The pages of a knowledge base in the groups of the sidebar: those of the core and of the plugins that run. */
export function listPageGroups(isRunning: IsRunning) {
  const pages = [
    ...KNOWLEDGE_BASE_PAGES,
    ...listRunning(isRunning).flatMap(({ ofKnowledgeBase = [] }) => ofKnowledgeBase),
  ];
  return GROUPS.map((group) => ({
    group,
    pages: pages.filter((page) => page.group === group).sort(byPosition),
  })).filter(({ pages }) => pages.length > 0);
}

/** The pages that belong to no knowledge base. */
export const listServicePages = (isRunning: IsRunning): readonly ServicePage[] =>
  [...SERVICE_PAGES, ...listRunning(isRunning).flatMap(({ ofService = [] }) => ofService)].sort(
    byPosition,
  );

/** The pages that only links lead to. */
export const listUnlistedPages = (isRunning: IsRunning): readonly UnlistedPage[] =>
  listRunning(isRunning).flatMap(({ unlisted = [] }) => unlisted);

export const findPartPage = (isRunning: IsRunning, page: string, part: string) =>
  listRunning(isRunning)
    .flatMap(({ parts = [] }) => parts)
    .find((each) => each.page === page && each.part === part)?.Page;

/** What the finder does in a knowledge base, for a user with this role. */
export const listActions = (
  isRunning: IsRunning,
  { mayChange, isOwner }: { mayChange: boolean; isOwner: boolean },
): readonly Action[] =>
  [
    ...KNOWLEDGE_BASE_ACTIONS,
    ...listRunning(isRunning).flatMap(({ actions = [] }) => actions),
  ].filter(({ role }) => (role === 'owner' ? isOwner : role !== 'member' || mayChange));

/** Finds the kind of an object by the prefix of its id. */
export const findIdKind = (isRunning: IsRunning, prefix: string): IdKind | undefined =>
  [...IDS, ...listRunning(isRunning).flatMap(({ ids = [] }) => ids)].find(
    (each) => each.prefix === prefix,
  );
