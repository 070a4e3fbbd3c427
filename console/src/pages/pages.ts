import { lazyPage } from '../components/lazy-page.js';
import type { KnowledgeBasePage, ServicePage } from '../navigation.js';
import { KnowledgeBasesPage } from './knowledge-bases.js';

/** The pages of the core. Each is loaded when it is first opened. */
export const KNOWLEDGE_BASE_PAGES: readonly KnowledgeBasePage[] = [
  {
    ...{ group: '', position: 1, name: 'overview', label: 'Overview', icon: 'overview' },
    Page: lazyPage(() => import('./overview.js').then((m) => m.OverviewPage)),
  },
  {
    ...{ group: 'Content', position: 1, name: 'documents', label: 'Documents', icon: 'document' },
    Page: lazyPage(() => import('./documents.js').then((m) => m.DocumentsPage)),
    Detail: lazyPage(() => import('./document.js').then((m) => m.DocumentPage)),
  },
  {
    ...{ group: 'Answers', position: 1, name: 'playground', label: 'Playground' },
    icon: 'playground',
    Page: lazyPage(() => import('./playground.js').then((m) => m.PlaygroundPage)),
  },
  {
    ...{ group: 'Answers', position: 2, name: 'conversations', label: 'Conversations' },
    icon: 'conversation',
    Page: lazyPage(() => import('./conversations.js').then((m) => m.ConversationsPage)),
    Detail: lazyPage(() => import('./conversation.js').then((m) => m.ConversationPage)),
  },
  {
    ...{ group: 'Connect', position: 3, name: 'keys', label: 'API keys', icon: 'key' },
    Page: lazyPage(() => import('./keys.js').then((m) => m.KeysPage)),
  },
  {
    ...{ group: 'Manage', position: 1, name: 'members', label: 'Members', icon: 'members' },
    Page: lazyPage(() => import('./members.js').then((m) => m.MembersPage)),
  },
  {
    ...{ group: 'Manage', position: 2, name: 'access', label: 'Access', icon: 'access' },
    Page: lazyPage(() => import('./access.js').then((m) => m.AccessPage)),
  },
  {
    ...{ group: 'Manage', position: 3, name: 'audit', label: 'Audit', icon: 'audit' },
    Page: lazyPage(() => import('./audit.js').then((m) => m.AuditPage)),
  },
  {
    ...{ group: 'Manage', position: 4, name: 'settings', label: 'Settings', icon: 'settings' },
    Page: lazyPage(() => import('./settings.js').then((m) => m.SettingsPage)),
  },
];

export const SERVICE_PAGES: readonly ServicePage[] = [
  {
    ...{ position: 1, name: '', label: 'Knowledge bases', icon: 'book' },
    Page: KnowledgeBasesPage,
  },
  {
    ...{ position: 3, name: 'audit', label: 'Audit', icon: 'audit' },
    Page: lazyPage(() => import('./audit.js').then((m) => m.EventsPage)),
  },
];
