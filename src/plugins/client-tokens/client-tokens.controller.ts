import {
  createParamDecorator,
  ExecutionContext,
  Header,
  type OnModuleInit,
  Post,
  Res,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { clientIp } from '../../platform/config/ip-address.js';
import { AcceptsForm } from '../../platform/http/request-body.js';
import { BodyValidationPipe } from '../../platform/http/validation.pipe.js';
import { MayAnswer } from '../../platform/openapi/operation.js';
import { Problem } from '../../platform/problems/problem.js';
import type { ApiKeyRequest } from '../../api-keys/api-key.guard.js';
import { ClientTokenDto, CreateClientTokenDto } from './client-token.dto.js';
import { ClientTokenGuard } from './client-token.guard.js';
import { ClientTokenIssuer } from './client-token-issuer.js';
import { PartnerController } from '../../api-keys/partner-controller.js';
import { RequiresScope } from '../../api-keys/requires-scope.js';
import { ISSUE_CLIENT_TOKENS } from '../../api-keys/scope.js';
import { ExchangesTokens, type TokenExchanger } from './token-exchanger.js';
import { ExchangedTokenDto, TOKEN_EXCHANGE, TokenExchangeDto } from './token-exchange.dto.js';

const Request = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<ApiKeyRequest>(),
);

/** Browsers cannot call it, because web pages have no API key. */
@PartnerController('client-tokens', {
  tag: 'Client tokens',
  browsers: false,
  guard: ClientTokenGuard,
})
export class ClientTokensController implements OnModuleInit {
  private exchanger: TokenExchanger | undefined;
  private readonly validation = new BodyValidationPipe();

  constructor(
    private readonly issuer: ClientTokenIssuer,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): void {
    this.exchanger = ExchangesTokens.find(this.discovery)[0]?.instance;
  }

  /**
   * Make a client token
   * @remarks The browser or app of one end user uses it directly, without your API key: it works for
   * minutes, and never has more rights than the key. Revoking the key stops its tokens at once.
   *
   * With `grant_type`, as a form or as JSON, it is a token exchange (RFC 8693): the credential is a token of
   * an issuer that a knowledge base trusts, and the response is a 200 in the form of that protocol. Problems
   * then also have RFC 6749's `error`.
   */
  @Post()
  @Header('cache-control', 'no-store')
  @RequiresScope(ISSUE_CLIENT_TOKENS)
  @AcceptsForm()
  // Without an optional parameter, openapi-python-client forgets an import for the two media types of the
  // body.
  @ApiHeader({
    name: 'X-Request-Id',
    required: false,
    schema: { type: 'string', maxLength: 128 },
    description: 'Names this request in the service’s log.',
  })
  @ApiExtraModels(CreateClientTokenDto, TokenExchangeDto)
  @ApiOperation({
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: getSchemaPath(CreateClientTokenDto) } },
        'application/x-www-form-urlencoded': { schema: { $ref: getSchemaPath(TokenExchangeDto) } },
      },
    },
  })
  @ApiCreatedResponse({ type: ClientTokenDto })
  @ApiOkResponse({ type: ExchangedTokenDto })
  @MayAnswer('invalid_subject_token', 'identity_provider_unavailable')
  async createClientToken(
    @Request() request: ApiKeyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientTokenDto | ExchangedTokenDto> {
    const { apiKey, body } = request;
    if (apiKey) return this.issuer.issue(apiKey, await this.valid(body, CreateClientTokenDto));
    void reply.status(200);
    try {
      const dto = await this.valid(body, TokenExchangeDto);
      if (this.exchanger) return await this.exchanger.exchange(dto, clientIp(request));
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
      const isExchange = (body as { readonly grant_type: unknown }).grant_type === TOKEN_EXCHANGE;
      const oauthError = isExchange ? 'invalid_request' : 'unsupported_grant_type';
      throw error.with({ extensions: { error: oauthError } });
    }
    // Nobody is trusted.
    throw new Problem('invalid_subject_token', { extensions: { error: 'invalid_request' } });
  }

  private async valid<T>(body: unknown, metatype: new () => T): Promise<T> {
    return (await this.validation.transform(body, { type: 'body', metatype })) as T;
  }
}
