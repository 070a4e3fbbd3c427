import type { Plugin } from '../../platform/plugins/plugin.js';
import { AgentConnection } from './agent-connection.entity.js';
import { AgentsModule } from './agents.module.js';
import { OAuthRecord } from './oauth-record.entity.js';

/** Connects agents to API keys: the authorization server of `/mcp`. */
export const plugin: Plugin = {
  module: AgentsModule,
  needs: ['mcp', 'trusted-issuers'],
  entities: [AgentConnection, OAuthRecord],
  rootPaths: ['.well-known/oauth-authorization-server', 'oauth/*path'],
};
