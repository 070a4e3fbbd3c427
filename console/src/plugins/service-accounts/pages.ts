import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofService: [
    {
      ...{ position: 2, name: 'service-accounts', label: 'Service accounts', icon: 'machine' },
      Page: lazyPage(() => import('./service-accounts.js').then((m) => m.ServiceAccountsPage)),
      Detail: lazyPage(() => import('./service-account.js').then((m) => m.ServiceAccountPage)),
    },
  ],
  ids: [
    {
      ...{ prefix: 'sa', kind: 'Service account', icon: 'machine' },
      find: async (api, id, signal) => {
        const path = { sa_id: id };
        const found = await api.get('/api/v1/service-accounts/{sa_id}', { path, signal });
        return { label: found.name, path: `/service-accounts/${id}` };
      },
    },
  ],
};
