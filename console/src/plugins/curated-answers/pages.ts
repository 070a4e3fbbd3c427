import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{
        group: 'Content',
        position: 3,
        name: 'curated-answers',
        label: 'Curated answers',
        icon: 'answer',
      },
      Page: lazyPage(() => import('./curated-answers.js').then((m) => m.CuratedAnswersPage)),
    },
  ],
};
