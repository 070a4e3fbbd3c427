import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{ group: 'Answers', position: 3, name: 'gaps', shortcut: 'g', label: 'Gaps', icon: 'gap' },
      Page: lazyPage(() => import('./gaps.js').then((m) => m.GapsPage)),
    },
  ],
};
