import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{
        group: 'Answers',
        position: 4,
        name: 'evaluations',
        label: 'Evaluations',
        icon: 'evaluation',
      },
      Page: lazyPage(() => import('./evaluations.js').then((m) => m.EvaluationsPage)),
    },
  ],
};
