import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{ group: 'Connect', position: 5, name: 'webhooks', label: 'Webhooks', icon: 'webhook' },
      Page: lazyPage(() => import('./webhooks.js').then((m) => m.WebhooksPage)),
    },
  ],
};
