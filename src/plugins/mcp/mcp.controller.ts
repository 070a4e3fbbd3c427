import { isIP } from 'node:net';
import { Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PartnerController } from '../../api-keys/partner-controller.js';
import { RequiresScope } from '../../api-keys/requires-scope.js';
import { ClientLeft } from '../../platform/http/client-left.js';
import { MayAnswer } from '../../platform/openapi/operation.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import { ApiJsonRpc, type JsonRpcRequest, MAX_TEXT_LENGTH } from './json-rpc.dto.js';
import { McpGuard, type McpRequest } from './mcp.guard.js';
import { McpService } from './mcp.service.js';

@PartnerController('mcp', {
  tag: 'Other protocols',
  credential: 'bearer',
  browsers: false,
  guard: McpGuard,
})
export class McpController {
  constructor(private readonly service: McpService) {}

  /**
   * Speak the Model Context Protocol
   * @remarks Streamable HTTP without sessions: `initialize`, `tools/list` and `tools/call` of the
   * tools `search` and `fetch` (scope `query`) and `ask` (scope `chat`). The API key is the Bearer and names
   * the knowledge base. `fetch` reads a passage that was found, with the texts around it. A tool that the key may not use is not listed.
   *
   * Where the identity provider gives tokens for it (see `/.well-known/oauth-protected-resource/mcp`), a
   * person’s token is taken too. Its tools are `list_knowledge_bases`, `search`, `fetch` and `ask`, over what that
   * person may read, 60 calls a minute.
   */
  @Post()
  @HttpCode(200)
  @RequiresScope('query', 'chat')
  @MayAnswer('invalid_groups', 'identity_provider_unavailable')
  @ApiJsonRpc()
  async callMcp(
    @Body() body: JsonRpcRequest,
    @Req() request: McpRequest,
    @ClientLeft() signal: AbortSignal,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    refuseForeignOrigin(request);
    // A batch would count as one request; the protocol has dropped batches in 2025.
    if (Array.isArray(body)) throw invalidField('', 'the body must be one message, not a batch');
    requireShortTexts(body);
    const { apiKey, dashboardUser: user } = request;
    const call = { signal, requestId: request.id };
    const credential = apiKey ? { apiKey } : user && { user };
    if (!credential) throw new Error('McpController needs McpGuard');
    const response = await this.service.handle({ ...call, ...credential }, request, body);
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
