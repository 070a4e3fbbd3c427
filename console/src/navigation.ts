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
}

/** The pages of a knowledge base, in the groups of the sidebar. */
export const KNOWLEDGE_BASE_PAGES: readonly {
  readonly group: string;
  readonly pages: readonly PageEntry[];
}[] = [
  { group: '', pages: [{ name: 'overview', label: 'Overview', icon: 'overview' }] },
  {
    group: 'Content',
    pages: [
      { name: 'documents', label: 'Documents', icon: 'document' },
      { name: 'sources', label: 'Sources', icon: 'source' },
      { name: 'curated-answers', label: 'Curated answers', icon: 'answer' },
    ],
  },
  {
    group: 'Answers',
    pages: [
      { name: 'playground', label: 'Playground', icon: 'playground' },
      { name: 'conversations', label: 'Conversations', icon: 'conversation' },
      { name: 'gaps', label: 'Gaps', icon: 'gap' },
      { name: 'evaluations', label: 'Evaluations', icon: 'evaluation' },
    ],
  },
  {
    group: 'Connect',
    pages: [
      { name: 'keys', label: 'API keys', icon: 'key' },
      { name: 'trusted-issuers', label: 'Trusted issuers', icon: 'issuer' },
      { name: 'webhooks', label: 'Webhooks', icon: 'webhook' },
    ],
  },
  {
    group: 'Usage',
    pages: [
      { name: 'analytics', label: 'Analytics', icon: 'analytics' },
      { name: 'costs', label: 'Costs', icon: 'cost' },
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
