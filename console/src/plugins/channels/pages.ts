import { lazyPage } from '../../components/lazy-page.js';
import type { PluginPages } from '../../navigation.js';

export const pages: PluginPages = {
  ofKnowledgeBase: [
    {
      ...{
        group: 'Connect',
        position: 2,
        name: 'channels',
        shortcut: 'l',
        label: 'Channels',
        icon: 'channel',
      },
      Page: lazyPage(() => import('./channels-page.js').then((m) => m.ChannelsPage)),
      Detail: lazyPage(() => import('./channel-page.js').then((m) => m.ChannelPage)),
    },
  ],
  actions: [
    { label: 'Create channel', icon: 'channel', path: 'channels?open=new', role: 'member' },
  ],
  ids: [
    {
      ...{ prefix: 'chan', kind: 'Channel', icon: 'channel' },
      find: async (api, id, signal) => {
        const path = { channel_id: id };
        const found = await api.get('/api/v1/channels/{channel_id}', { path, signal });
        return { label: found.name, path: `/kbs/${found.kb_id}/channels/${id}` };
      },
    },
  ],
};
