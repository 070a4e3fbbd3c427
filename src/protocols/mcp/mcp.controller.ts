import { isIP } from 'node:net';
import { Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentApiKey } from '../../api-keys/api-key.guard.js';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { PartnerController } from '../../api-keys/partner-controller.js';
import { RequiresScope } from '../../api-keys/requires-scope.js';
import { ClientLeft } from '../../platform/http/client-left.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { ApiJsonRpc, type JsonRpcRequest, MAX_TEXT_LENGTH } from './json-rpc.dto.js';
import { McpService } from './mcp.service.js';

@PartnerController('mcp', { tag: 'Other protocols', credential: 'bearer', browsers: false })
export class McpController {
  constructor(private readonly service: McpService) {}

  /**
   * Speak the Model Context Protocol
   * @remarks Streamable HTTP without sessions: `initialize`, `tools/list` and `tools/call` of the
   * tools `search` (scope `query`) and `ask` (scope `chat`). The API key is the Bearer and names the
   * knowledge base. A tool that the key may not use is not listed.
   */
  @Post()
  @HttpCode(200)
  @RequiresScope('query', 'chat')
  @ApiJsonRpc()
  async callMcp(
    @CurrentApiKey() apiKey: ApiKeyPrincipal,
    @Body() body: JsonRpcRequest,
    @Req() request: FastifyRequest,
    @ClientLeft() signal: AbortSignal,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    refuseForeignOrigin(request);
    // A batch would count once, whatever it asks; the protocol has none since 2025.
    if (Array.isArray(body)) throw invalidField('', 'the body must be one message, not a batch');
    requireShortTexts(body);
    const response = await this.service.handle(apiKey, request, body, signal);
    void reply.status(response.status);
    for (const [name, value] of response.headers) void reply.header(name, value);
    await reply.send(response.body ?? '');
  }
}

/**
 * Rejects web pages of other origins, which could otherwise call a server in the visitor's network.
 * The owner of any host name can point it at this server (DNS rebinding); Host and Origin of the
 * owner's page are then equal. Only with https does a name prove to be this server's own; an
 * address needs no such proof.
 */
function refuseForeignOrigin({ headers: { origin, host } }: FastifyRequest): void {
  if (origin === undefined) return;
  const page = URL.parse(origin);
  const name = page?.hostname ?? '';
  const isAddress = name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  if (page?.host !== host || !(page?.protocol === 'https:' || isAddress))
    throw new Problem('origin_not_allowed');
}

function requireShortTexts(value: unknown): void {
  if (typeof value === 'string' && value.length > MAX_TEXT_LENGTH) {
    throw invalidField('', `texts and names must have at most ${MAX_TEXT_LENGTH} characters`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const part of Array.isArray(value) ? (value as unknown[]) : Object.entries(value).flat()) {
    requireShortTexts(part);
  }
}
