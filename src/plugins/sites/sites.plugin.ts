import type { Plugin } from '../../platform/plugins/plugin.js';
import { Site } from './site.entity.js';
import { SitesModule } from './sites.module.js';
import { UsedChallenge } from './used-challenge.entity.js';

/** Websites on which visitors ask a knowledge base, without a key in anyone's hands. */
export const plugin: Plugin = {
  module: SitesModule,
  entities: [Site, UsedChallenge],
  rootPaths: ['widget.js', 's/*path'],
};
