import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, type ProblemCode } from '../problems/problem.js';
import { isRefusal, UsageRecorder } from '../usage/usage-recorder.js';
import { type ApiKeyPrincipal, ApiKeyVerifier, type Caller } from './api-key-verifier.js';
import { clientIp } from './client-ip.js';
import { quotaHeaders } from './rate-limiter.js';

type ApiKeyRequest = FastifyRequest & { apiKey?: ApiKeyPrincipal };

/** What every operation with ApiKeyGuard may answer. */
export const API_KEY_PROBLEMS: ProblemCode[] = [
  'api_key_required',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'ip_not_allowed',
  'origin_not_allowed',
  'rate_limited',
  'verification_busy',
  'database_unavailable',
];

/**
 * Credential 2: lets a request through as the API key in its body, or not at all. It is counted as a
 * use of its key when it has succeeded.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly verifier: ApiKeyVerifier,
    private readonly usage: UsageRecorder,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiKeyRequest>();
    const secret = bodyField(request.body, 'api_key');
    const ip = clientIp(request);
    const reply = http.getResponse<FastifyReply>();
    const { apiKey, quota } = await this.verify(
      secret,
      { ip, origin: request.headers.origin },
      reply,
    );
    request.apiKey = apiKey;
    reply.headers(quotaHeaders(quota));
    // Not by an interceptor, which would cost a quarter of the whole request. A client that leaves
    // amid its answer has used the key too.
    reply.raw.once('close', () => {
      const { headersSent, statusCode } = reply.raw;
      if (!headersSent) return;
      const { id, kbId, environment, verifiedAt: at } = apiKey;
      const event = { key: { id, kbId, environment }, at, ip };
      if (statusCode < 400) this.usage.record({ kind: 'use', ...event });
      if (isRefusal(statusCode)) {
        this.usage.record({ kind: 'refusal', ...event, isKeyInactive: false });
      }
    });
    return true;
  }

  private async verify(secret: unknown, caller: Caller, reply: FastifyReply) {
    try {
      return await this.verifier.verify(secret, caller);
    } catch (error) {
      // Any page may read what is refused before the knowledge base is known; see protectBrowsers().
      if (error instanceof Problem && error.code === 'origin_not_allowed') {
        void reply.removeHeader('access-control-allow-origin');
      }
      throw error;
    }
  }
}

/** Guards run before pipes: the body can be anything that JSON can say. */
function bodyField(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined;
}

export const CurrentApiKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { apiKey } = context.switchToHttp().getRequest<ApiKeyRequest>();
  if (!apiKey) throw new Error('CurrentApiKey needs ApiKeyGuard');
  return apiKey;
});
