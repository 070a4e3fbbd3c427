import type { Plugin } from '../../platform/plugins/plugin.js';
import { ClientTokensModule } from './client-tokens.module.js';

/** Credentials of minutes for one end user's browser, made with an API key. */
export const plugin: Plugin = { module: ClientTokensModule };
