import type { Plugin } from '../../platform/plugins/plugin.js';
import { ServiceAccount } from './service-account.entity.js';
import { ServiceAccountsModule } from './service-accounts.module.js';

/** Programs that use the dashboard's API with keys of their own. */
export const plugin: Plugin = { module: ServiceAccountsModule, entities: [ServiceAccount] };
