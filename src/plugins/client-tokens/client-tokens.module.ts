import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { ClientTokenIssuer } from './client-token-issuer.js';
import { ClientTokensController } from './client-tokens.controller.js';
import { ClientTokens } from './client-tokens.js';

@Module({
  imports: [ApiKeysModule],
  controllers: [ClientTokensController],
  providers: [ClientTokens, ClientTokenIssuer],
  exports: [ClientTokens],
})
export class ClientTokensModule {}
