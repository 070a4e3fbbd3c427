import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { TrustedIssuersModule } from '../trusted-issuers/trusted-issuers.module.js';
import { AgentConnecting } from './agent-connecting.js';
import { AgentConnection } from './agent-connection.entity.js';
import { AgentConnections } from './agent-connections.js';
import { AgentTokens } from './agent-tokens.js';
import { AuthorizationServers } from './authorization-servers.js';
import { ClientDocuments } from './client-documents.js';
import { ConnectController } from './connect.controller.js';
import { ConnectionsController } from './connections.controller.js';
import { ConnectionsService } from './connections.service.js';
import { IdentityAssertions } from './identity-assertions.js';
import { OAuthController } from './oauth.controller.js';
import { OAuthRecord } from './oauth-record.entity.js';
import { OAuthStore } from './oauth-store.js';
import { PersonSignIn } from './person-sign-in.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([AgentConnection, OAuthRecord]),
    ApiKeysModule,
    KnowledgeBasesModule,
    TrustedIssuersModule,
  ],
  controllers: [OAuthController, ConnectController, ConnectionsController],
  providers: [
    AgentConnecting,
    AgentConnections,
    AgentTokens,
    AuthorizationServers,
    ClientDocuments,
    ConnectionsService,
    IdentityAssertions,
    OAuthStore,
    PersonSignIn,
  ],
})
export class AgentsModule {}
