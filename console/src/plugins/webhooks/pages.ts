import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{
        group: 'Connect',
        position: 5,
        name: 'webhooks',
        shortcut: 'b',
        label: 'Webhooks',
        icon: 'webhook',
      },
      Page: lazyPage(() => import('./webhooks.js').then((m) => m.WebhooksPage)),
    },
  ],
  actions: [
    { label: 'Create webhook', icon: 'webhook', path: 'webhooks?open=new', role: 'member' },
  ],
  ids: [
    {
      ...{ prefix: 'wh', kind: 'Webhook', icon: 'webhook' },
      find: async (api, id, signal) => {
        const path = { webhook_id: id };
        const found = await api.get('/api/v1/webhooks/{webhook_id}', { path, signal });
        return { label: found.url, path: `/kbs/${found.kb_id}/webhooks?webhook=${id}` };
      },
    },
  ],
};
