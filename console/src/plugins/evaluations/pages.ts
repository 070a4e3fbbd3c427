import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{
        group: 'Answers',
        position: 4,
        name: 'evaluations',
        shortcut: 'e',
        label: 'Evaluations',
        icon: 'evaluation',
      },
      Page: lazyPage(() => import('./evaluations.js').then((m) => m.EvaluationsPage)),
    },
  ],
  actions: [
    {
      label: 'Create evaluation',
      icon: 'evaluation',
      path: 'evaluations?open=new',
      role: 'member',
    },
  ],
  ids: [
    {
      ...{ prefix: 'eval', kind: 'Evaluation', icon: 'evaluation' },
      find: async (api, id, signal) => {
        const path = { evaluation_id: id };
        const found = await api.get('/api/v1/evaluations/{evaluation_id}', { path, signal });
        return {
          label: found.name ?? id,
          path: `/kbs/${found.kb_id}/evaluations?evaluation=${id}`,
        };
      },
    },
  ],
};
