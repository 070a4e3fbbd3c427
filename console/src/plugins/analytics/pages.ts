import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{
        group: 'Usage',
        position: 1,
        name: 'analytics',
        shortcut: 'a',
        label: 'Analytics',
        icon: 'analytics',
      },
      Page: lazyPage(() => import('./analytics.js').then((m) => m.AnalyticsPage)),
    },
    {
      ...{
        group: 'Usage',
        position: 2,
        name: 'costs',
        shortcut: 't',
        label: 'Costs',
        icon: 'cost',
      },
      Page: lazyPage(() => import('./costs.js').then((m) => m.CostsPage)),
    },
  ],
};
