import type { Plugin } from '../../platform/plugins/plugin.js';
import { Invitation } from './invitation.entity.js';
import { InvitationsModule } from './invitations.module.js';

/** Links with which people become members of a knowledge base. */
export const plugin: Plugin = { module: InvitationsModule, entities: [Invitation] };
