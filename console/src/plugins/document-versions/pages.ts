import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  parts: [
    {
      ...{ page: 'documents', part: 'versions' },
      Page: lazyPage(() => import('./versions-page.js').then((m) => m.VersionsPage)),
    },
  ],
};
