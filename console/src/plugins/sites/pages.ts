import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{ group: 'Connect', position: 1, name: 'sites', label: 'Sites', icon: 'site' },
      Page: lazyPage(() => import('./sites-page.js').then((m) => m.SitesPage)),
      Detail: lazyPage(() => import('./site-page.js').then((m) => m.SitePage)),
    },
  ],
};
