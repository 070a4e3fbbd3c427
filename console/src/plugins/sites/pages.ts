import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{
        group: 'Connect',
        position: 1,
        name: 'sites',
        shortcut: 'w',
        label: 'Sites',
        icon: 'site',
      },
      Page: lazyPage(() => import('./sites-page.js').then((m) => m.SitesPage)),
      Detail: lazyPage(() => import('./site-page.js').then((m) => m.SitePage)),
    },
  ],
  actions: [{ label: 'Create site', icon: 'site', path: 'sites?open=new', role: 'member' }],
  ids: [
    {
      ...{ prefix: 'site', kind: 'Site', icon: 'site' },
      find: async (api, id, signal) => {
        const path = { site_id: id };
        const found = await api.get('/api/v1/sites/{site_id}', { path, signal });
        return { label: found.name, path: `/kbs/${found.kb_id}/sites/${id}` };
      },
    },
  ],
};
