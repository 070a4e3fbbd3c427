import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{
        group: 'Content',
        position: 3,
        name: 'curated-answers',
        shortcut: 'n',
        label: 'Curated answers',
        icon: 'answer',
      },
      Page: lazyPage(() => import('./curated-answers.js').then((m) => m.CuratedAnswersPage)),
    },
  ],
  actions: [
    {
      label: 'Create curated answer',
      icon: 'answer',
      path: 'curated-answers?open=new',
      role: 'member',
    },
  ],
  ids: [
    {
      ...{ prefix: 'cur', kind: 'Curated answer', icon: 'answer' },
      find: async (api, id, signal) => {
        const path = { curated_answer_id: id };
        const found = await api.get('/api/v1/curated-answers/{curated_answer_id}', {
          path,
          signal,
        });
        return {
          label: found.questions[0] ?? id,
          path: `/kbs/${found.kb_id}/curated-answers?answer=${id}`,
        };
      },
    },
  ],
};
