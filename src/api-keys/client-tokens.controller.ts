import { Body, Header, Post } from '@nestjs/common';
import { CurrentApiKey } from './api-key.guard.js';
import type { ApiKeyPrincipal } from './api-key-principal.js';
import { ClientTokenDto, CreateClientTokenDto } from './client-token.dto.js';
import { ClientTokenIssuer } from './client-token-issuer.js';
import { PartnerController } from './partner-controller.js';
import { RequiresScope } from './requires-scope.js';
import { ISSUE_CLIENT_TOKENS } from './scope.js';

/** Not for browsers: their pages have no API key. */
@PartnerController('client-tokens', { tag: 'Client tokens', browsers: false })
export class ClientTokensController {
  constructor(private readonly issuer: ClientTokenIssuer) {}

  /**
   * Make a client token
   * @remarks For one end user's browser or app, which asks with it directly, without your API key: it works
   * for minutes, and never does more than the key. Revoking the key stops its tokens at once.
   */
  @Post()
  @Header('cache-control', 'no-store')
  @RequiresScope(ISSUE_CLIENT_TOKENS)
  createClientToken(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Body() dto: CreateClientTokenDto,
  ): Promise<ClientTokenDto> {
    return this.issuer.issue(apiKey, dto);
  }
}
