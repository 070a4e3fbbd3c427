import { lazyPage } from '../components/lazy-page.js';
import type { Action, IdKind, KnowledgeBasePage, ServicePage } from '../navigation.js';
import { KnowledgeBasesPage } from './knowledge-bases.js';

/** The pages of the core. Each is loaded when it is first opened. */
export const KNOWLEDGE_BASE_PAGES: readonly KnowledgeBasePage[] = [
  {
    ...{
      group: '',
      position: 1,
      shortcut: 'o',
      name: 'overview',
      label: 'Overview',
      icon: 'overview',
    },
    Page: lazyPage(() => import('./overview.js').then((m) => m.OverviewPage)),
  },
  {
    ...{
      group: 'Content',
      position: 1,
      shortcut: 'd',
      name: 'documents',
      label: 'Documents',
      icon: 'document',
    },
    Page: lazyPage(() => import('./documents.js').then((m) => m.DocumentsPage)),
    Detail: lazyPage(() => import('./document.js').then((m) => m.DocumentPage)),
  },
  {
    ...{ group: 'Answers', position: 1, shortcut: 'p', name: 'playground', label: 'Playground' },
    icon: 'playground',
    Page: lazyPage(() => import('./playground.js').then((m) => m.PlaygroundPage)),
  },
  {
    ...{
      group: 'Answers',
      position: 2,
      shortcut: 'c',
      name: 'conversations',
      label: 'Conversations',
    },
    icon: 'conversation',
    Page: lazyPage(() => import('./conversations.js').then((m) => m.ConversationsPage)),
    Detail: lazyPage(() => import('./conversation.js').then((m) => m.ConversationPage)),
  },
  {
    ...{
      group: 'Connect',
      position: 3,
      shortcut: 'k',
      name: 'keys',
      label: 'API keys',
      icon: 'key',
    },
    Page: lazyPage(() => import('./keys.js').then((m) => m.KeysPage)),
  },
  {
    ...{
      group: 'Manage',
      position: 1,
      shortcut: 'm',
      name: 'members',
      label: 'Members',
      icon: 'members',
    },
    Page: lazyPage(() => import('./members.js').then((m) => m.MembersPage)),
  },
  {
    ...{
      group: 'Manage',
      position: 2,
      shortcut: 'i',
      name: 'access',
      label: 'Access',
      icon: 'access',
    },
    Page: lazyPage(() => import('./access.js').then((m) => m.AccessPage)),
  },
  {
    ...{
      group: 'Manage',
      position: 3,
      shortcut: 'u',
      name: 'audit',
      label: 'Audit',
      icon: 'audit',
    },
    Page: lazyPage(() => import('./audit.js').then((m) => m.AuditPage)),
  },
  {
    ...{
      group: 'Manage',
      position: 4,
      shortcut: 's',
      name: 'settings',
      label: 'Settings',
      icon: 'settings',
    },
    Page: lazyPage(() => import('./settings.js').then((m) => m.SettingsPage)),
    Detail: lazyPage(() => import('./settings.js').then((m) => m.SettingsGroupPage)),
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

export const KNOWLEDGE_BASE_ACTIONS: readonly Action[] = [
  { label: 'Ask a question', icon: 'playground', path: 'playground' },
  { label: 'Upload documents', icon: 'document', path: 'documents?open=files', role: 'member' },
  { label: 'Write a text', icon: 'document', path: 'documents?open=text', role: 'member' },
  { label: 'Create API key', icon: 'key', path: 'keys?open=new', role: 'member' },
  { label: 'Add a member', icon: 'members', path: 'members?open=add', role: 'owner' },
];

/** The kinds of the core whose ids the finder opens. */
export const IDS: readonly IdKind[] = [
  {
    ...{ prefix: 'kb', kind: 'Knowledge base', icon: 'book' },
    find: async (api, id, signal) => {
      const path = { kb_id: id };
      const { name } = await api.get('/api/v1/kbs/{kb_id}', { path, signal });
      return { label: name, path: `/kbs/${id}/overview` };
    },
  },
  {
    ...{ prefix: 'doc', kind: 'Document', icon: 'document' },
    find: async (api, id, signal) => {
      const path = { document_id: id };
      const found = await api.get('/api/v1/documents/{document_id}', { path, signal });
      return { label: found.title, path: `/kbs/${found.kb_id}/documents/${id}` };
    },
  },
  {
    ...{ prefix: 'key', kind: 'API key', icon: 'key' },
    find: async (api, id, signal) => {
      const path = { key_id: id };
      const key = await api.get('/api/v1/api-keys/{key_id}', { path, signal });
      return {
        label: `${key.name} (${key.prefix}…)`,
        path:
          key.service_account_id === null
            ? `/kbs/${key.kb_id}/keys?key=${id}`
            : `/service-accounts/${key.service_account_id}?key=${id}`,
      };
    },
  },
  {
    ...{ prefix: 'conv', kind: 'Conversation', icon: 'conversation' },
    find: async (api, id, signal) => {
      const path = { conversation_id: id };
      const found = await api.get('/api/v1/conversations/{conversation_id}', { path, signal });
      return {
        label: found.question ?? id,
        path: `/kbs/${found.kb_id}/conversations/${id}`,
      };
    },
  },
];
