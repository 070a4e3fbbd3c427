import { Injectable, Logger } from '@nestjs/common';
import {
  createMcpHandler,
  type McpHttpHandler,
  McpServer,
  type McpRequestContext,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { McpTools } from './mcp-tools.js';

/** What a tool needs from the HTTP request that calls it. */
export interface McpCaller {
  readonly apiKey: ApiKeyPrincipal;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

const INSTRUCTIONS =
  'Answers from the documents of one knowledge base. `search` finds passages, `ask` answers a question with its sources.';

/**
 * Serves the Model Context Protocol in both of the versions that clients use. Each request gets its own
 * server object, so any process can answer any request.
 */
@Injectable()
export class McpService {
  private readonly logger = new Logger(McpService.name);
  private readonly handler: McpHttpHandler;

  constructor(private readonly tools: McpTools) {
    this.handler = createMcpHandler((context) => this.serverFor(context), {
      onerror: (error) => {
        this.logger.debug(error.message);
      },
    });
  }

  /** @param body the parsed JSON of the request */
  handle(
    apiKey: ApiKeyPrincipal,
    request: FastifyRequest,
    body: unknown,
    signal: AbortSignal,
  ): Promise<Response> {
    // No notifications are ever sent, and a stream that stays open would outlive its key.
    if (isSubscription(body)) return Promise.resolve(methodNotFound(body.id));
    const caller: McpCaller = { apiKey, signal, requestId: request.id };
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      if (typeof value === 'string') headers.set(name, value);
    }
    const url = new URL(request.url, 'http://latchkey.invalid');
    return this.handler.fetch(new Request(url, { method: 'POST', headers, signal }), {
      parsedBody: body,
      // The guard has verified the credential, so it is not passed on.
      authInfo: { token: '', clientId: apiKey.id, scopes: [...apiKey.scopes], extra: { caller } },
    });
  }

  private serverFor({ authInfo }: McpRequestContext): McpServer {
    const caller = authInfo?.extra?.['caller'] as McpCaller;
    const server = new McpServer(
      { name: 'latchkey', version: '1' },
      { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
    );
    this.tools.register(server, caller);
    return server;
  }
}

const isSubscription = (body: unknown): body is { id?: unknown } =>
  (body as { method?: unknown } | null)?.method === 'subscriptions/listen';

const methodNotFound = (id: unknown = null) =>
  Response.json(
    { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } },
    { status: 404 },
  );
