import type { Plugin } from '../../platform/plugins/plugin.js';
import { McpModule } from './mcp.module.js';

/** Knowledge bases as tools of agents, by the Model Context Protocol. */
export const plugin: Plugin = {
  module: McpModule,
  rootPaths: [
    'mcp',
    '.well-known/oauth-protected-resource',
    '.well-known/oauth-protected-resource/mcp',
  ],
};
