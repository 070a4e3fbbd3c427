import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{
        group: 'Connect',
        position: 4,
        name: 'trusted-issuers',
        shortcut: 'j',
        label: 'Trusted issuers',
        icon: 'issuer',
      },
      Page: lazyPage(() => import('./trusted-issuers.js').then((m) => m.TrustedIssuersPage)),
    },
  ],
  actions: [
    { label: 'Trust an issuer', icon: 'issuer', path: 'trusted-issuers?open=new', role: 'member' },
  ],
};
