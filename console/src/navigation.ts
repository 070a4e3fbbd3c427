import type { IconName } from './components/icon.js';

export type PageName =
  | 'overview'
  | 'documents'
  | 'sources'
  | 'curated-answers'
  | 'playground'
  | 'conversations'
  | 'gaps'
  | 'evaluations'
  | 'sites'
  | 'channels'
  | 'keys'
  | 'webhooks'
  | 'trusted-issuers'
  | 'analytics'
  | 'costs'
  | 'members'
  | 'access'
  | 'audit'
  | 'settings';

interface PageEntry {
  readonly name: PageName;
  readonly label: string;
  readonly icon: IconName;
  /** The plugin whose page it is. */
  readonly plugin?: string;
}

interface PageGroup {
  readonly group: string;
  readonly pages: readonly PageEntry[];
}

/** The pages of a knowledge base, in the groups of the sidebar. */
const KNOWLEDGE_BASE_PAGES: readonly PageGroup[] = [
  { group: '', pages: [{ name: 'overview', label: 'Overview', icon: 'overview' }] },
  {
    group: 'Content',
    pages: [
      { name: 'documents', label: 'Documents', icon: 'document' },
      { name: 'sources', label: 'Sources', icon: 'source', plugin: 'sources' },
      {
        name: 'curated-answers',
        label: 'Curated answers',
        icon: 'answer',
        plugin: 'curated-answers',
      },
    ],
  },
  {
    group: 'Answers',
    pages: [
      { name: 'playground', label: 'Playground', icon: 'playground' },
      { name: 'conversations', label: 'Conversations', icon: 'conversation' },
      { name: 'gaps', label: 'Gaps', icon: 'gap', plugin: 'gaps' },
      { name: 'evaluations', label: 'Evaluations', icon: 'evaluation', plugin: 'evaluations' },
    ],
  },
  {
    group: 'Connect',
    pages: [
      { name: 'sites', label: 'Sites', icon: 'site', plugin: 'sites' },
      { name: 'channels', label: 'Channels', icon: 'channel', plugin: 'channels' },
      { name: 'keys', label: 'API keys', icon: 'key' },
      {
        name: 'trusted-issuers',
        label: 'Trusted issuers',
        icon: 'issuer',
        plugin: 'trusted-issuers',
      },
      { name: 'webhooks', label: 'Webhooks', icon: 'webhook', plugin: 'webhooks' },
    ],
  },
  {
    group: 'Usage',
    pages: [
      { name: 'analytics', label: 'Analytics', icon: 'analytics', plugin: 'analytics' },
      { name: 'costs', label: 'Costs', icon: 'cost', plugin: 'analytics' },
    ],
  },
  {
    group: 'Manage',
    pages: [
      { name: 'members', label: 'Members', icon: 'members' },
      { name: 'access', label: 'Access', icon: 'access' },
      { name: 'audit', label: 'Audit', icon: 'audit' },
      { name: 'settings', label: 'Settings', icon: 'settings' },
    ],
  },
];

/** The pages of a knowledge base, without those of plugins that do not run. */
export const listPageGroups = (isRunning: (plugin: string) => boolean): readonly PageGroup[] =>
  KNOWLEDGE_BASE_PAGES.map(({ group, pages }) => ({
    group,
    pages: pages.filter(({ plugin }) => plugin === undefined || isRunning(plugin)),
  })).filter(({ pages }) => pages.length > 0);
