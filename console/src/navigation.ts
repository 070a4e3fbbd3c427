import type { ComponentType } from 'preact';
import type { IconName } from './components/icon.js';
import { KNOWLEDGE_BASE_PAGES, SERVICE_PAGES } from './pages/pages.js';

/** The groups of the sidebar of a knowledge base, in their order. */
const GROUPS = ['', 'Content', 'Answers', 'Connect', 'Usage', 'Manage'] as const;

interface Entry {
  /** Its name in the address. */
  readonly name: string;
  readonly label: string;
  readonly icon: IconName;
  /** Its place among the others of its group or, without groups, of all. */
  readonly position: number;
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

/** What a plugin adds to the console: the export `pages` of its `pages.ts`. */
export interface PluginPages {
  readonly ofKnowledgeBase?: readonly KnowledgeBasePage[];
  readonly ofService?: readonly ServicePage[];
  readonly parts?: readonly PartPage[];
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

export const findPartPage = (isRunning: IsRunning, page: string, part: string) =>
  listRunning(isRunning)
    .flatMap(({ parts = [] }) => parts)
    .find((each) => each.page === page && each.part === part)?.Page;
