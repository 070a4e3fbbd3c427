import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  unlisted: [
    {
      name: 'invitation',
      Page: lazyPage(() => import('./invitation-page.js').then((m) => m.InvitationPage)),
    },
  ],
  actions: [
    { label: 'Invite by a link', icon: 'members', path: 'members?open=invite', role: 'owner' },
  ],
};
