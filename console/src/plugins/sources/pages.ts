import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{ group: 'Content', position: 2, name: 'sources', label: 'Sources', icon: 'source' },
      Page: lazyPage(() => import('./sources.js').then((m) => m.SourcesPage)),
      Detail: lazyPage(() => import('./source.js').then((m) => m.SourcePage)),
    },
  ],
};
