import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{ group: 'Connect', position: 2, name: 'channels', label: 'Channels', icon: 'channel' },
      Page: lazyPage(() => import('./channels-page.js').then((m) => m.ChannelsPage)),
      Detail: lazyPage(() => import('./channel-page.js').then((m) => m.ChannelPage)),
    },
  ],
};
