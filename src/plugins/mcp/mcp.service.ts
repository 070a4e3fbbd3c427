import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { ChatService } from '../../chat/chat.service.js';
import { PassageReader } from '../../chat/passage-reader.js';
import { DashboardChatService } from '../../chat/dashboard-chat.service.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { KnowledgeBasesService } from '../../knowledge-bases/knowledge-bases.service.js';
import { RateLimiter } from '../../api-keys/rate-limiter.js';
import { WorkerStarts } from '../../platform/jobs/worker-starts.js';
import type { PersonServices } from './person-tools.js';
import type { McpCall } from './tool-answer.js';

/** The caller: an API key or a person. */
export type McpCaller = McpCall &
  ({ readonly apiKey: ApiKeyPrincipal } | { readonly user: DashboardUser });

/** Hands requests to the Model Context Protocol's handler. */
@Injectable()
export class McpService implements BeforeApplicationShutdown {
  /** Loaded on the first request, because its schemas take a twentieth of the start. */
  private handler: Promise<McpHttpHandler> | undefined;
  /** Node.js 22 keeps some failed imports: then it stays unable to load, and `/health/ready` says so. */
  private readonly starts = new WorkerStarts('mcp', {
    start: () => {
      this.tryToLoad().catch((error: unknown) => {
        this.logger.debug(error);
      });
    },
  });
  private readonly logger = new Logger(McpService.name);

  private readonly persons: PersonServices;

  constructor(
    private readonly chat: ChatService,
    personChat: DashboardChatService,
    knowledgeBases: KnowledgeBasesService,
    access: KnowledgeBaseAccess,
    rateLimiter: RateLimiter,
    passages: PassageReader,
  ) {
    this.persons = { chat: personChat, knowledgeBases, access, rateLimiter, passages };
  }

  beforeApplicationShutdown(): void {
    this.starts.close();
  }

  /** @param body the parsed JSON of the request */
  async handle(caller: McpCaller, request: FastifyRequest, body: unknown): Promise<Response> {
    // No notifications are ever sent, and a stream that stays open would outlive its key.
    if (isSubscription(body)) return methodNotFound(body.id);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      if (typeof value === 'string') headers.set(name, value);
    }
    const url = new URL(request.url, 'http://latchkey.invalid');
    const handler = await this.loadHandler();
    return handler.fetch(new Request(url, { method: 'POST', headers, signal: caller.signal }), {
      parsedBody: body,
      // The guard has verified the credential, so it is not passed on.
      authInfo: { token: '', clientId: '', scopes: [], extra: { caller } },
    });
  }

  /** @throws WorkerUnavailableError if it cannot be loaded, for example because its file is missing */
  private async loadHandler(): Promise<McpHttpHandler> {
    if (!this.starts.isAvailable) throw this.starts.unavailable();
    return this.tryToLoad();
  }

  private tryToLoad(): Promise<McpHttpHandler> {
    this.handler ??= import('./mcp-handler.js').then(
      ({ createHandler }) => {
        this.starts.succeeded();
        return createHandler(this.chat, this.persons);
      },
      (error: unknown) => {
        // A cached rejection would fail every later request.
        this.handler = undefined;
        this.starts.failed(error);
        throw this.starts.unavailable();
      },
    );
    return this.handler;
  }
}

const isSubscription = (body: unknown): body is { id?: unknown } =>
  (body as { method?: unknown } | null)?.method === 'subscriptions/listen';

const methodNotFound = (id: unknown = null) =>
  Response.json(
    { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } },
    { status: 404 },
  );
