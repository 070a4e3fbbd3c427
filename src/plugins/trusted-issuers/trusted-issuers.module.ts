import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { ClientTokensModule } from '../client-tokens/client-tokens.module.js';
import { IssuerKeys } from './issuer-keys.js';
import { TokenExchange } from './token-exchange.js';
import { TrustedIssuer } from './trusted-issuer.entity.js';
import { TrustedIssuersController } from './trusted-issuers.controller.js';
import { TrustedIssuersService } from './trusted-issuers.service.js';
import { TrustedTokens } from './trusted-tokens.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([TrustedIssuer]),
    KnowledgeBasesModule,
    ApiKeysModule,
    ClientTokensModule,
  ],
  controllers: [TrustedIssuersController],
  providers: [IssuerKeys, TokenExchange, TrustedIssuersService, TrustedTokens],
  exports: [TrustedTokens],
})
export class TrustedIssuersModule {}
