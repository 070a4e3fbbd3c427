import type { Plugin } from '../../platform/plugins/plugin.js';
import { DirectoryGroup } from './directory-group.entity.js';
import { DirectoryMembership } from './directory-membership.entity.js';
import { DirectoryUser } from './directory-user.entity.js';
import { ScimModule } from './scim.module.js';

/** Users and groups that an identity provider pushes. */
export const plugin: Plugin = {
  module: ScimModule,
  needs: ['service-accounts', 'trusted-issuers'],
  entities: [DirectoryGroup, DirectoryMembership, DirectoryUser],
  rootPaths: ['scim/v2/*path'],
};
