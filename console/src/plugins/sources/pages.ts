import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{
        group: 'Content',
        position: 2,
        name: 'sources',
        shortcut: 'r',
        label: 'Sources',
        icon: 'source',
      },
      Page: lazyPage(() => import('./sources.js').then((m) => m.SourcesPage)),
      Detail: lazyPage(() => import('./source.js').then((m) => m.SourcePage)),
    },
  ],
  actions: [
    { label: 'Connect a source', icon: 'source', path: 'sources?open=new', role: 'member' },
  ],
  ids: [
    {
      ...{ prefix: 'src', kind: 'Source', icon: 'source' },
      find: async (api, id, signal) => {
        const path = { source_id: id };
        const found = await api.get('/api/v1/sources/{source_id}', { path, signal });
        return { label: found.name, path: `/kbs/${found.kb_id}/sources/${id}` };
      },
    },
  ],
};
