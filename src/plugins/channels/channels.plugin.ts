import type { Plugin } from '../../platform/plugins/plugin.js';
import { ChannelAnswer } from './channel-answer.entity.js';
import { ChannelEventRow } from './channel-event.entity.js';
import { Channel } from './channel.entity.js';
import { ChannelsModule } from './channels.module.js';

/** Chat services in which people ask a knowledge base: Slack. */
export const plugin: Plugin = {
  module: ChannelsModule,
  entities: [Channel, ChannelEventRow, ChannelAnswer],
};
