import type { Plugin } from '../../platform/plugins/plugin.js';
import { PortalLink } from './portal-link.entity.js';
import { PortalModule } from './portal.module.js';

/** The page on which the holder of a key looks after it, without being a user of the dashboard. */
export const plugin: Plugin = {
  module: PortalModule,
  needs: ['key-holders'],
  entities: [PortalLink],
  rootPaths: ['portal', 'portal/*path'],
};
