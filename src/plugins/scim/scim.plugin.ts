import type { Plugin } from '../../platform/plugins/plugin.js';
import { ScimModule } from './scim.module.js';

/** Users and groups that an identity provider pushes. */
export const plugin: Plugin = {
  module: ScimModule,
  needs: ['trusted-issuers'],
  rootPaths: ['scim/v2/*path'],
};
