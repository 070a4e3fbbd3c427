import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';
import { isRefusal, UsageRecorder } from '../usage/usage-recorder.js';
import type { Caller } from './api-key-status.js';
import { type ApiKeyPrincipal, ApiKeyVerifier } from './api-key-verifier.js';
import { clientIp } from './client-ip.js';
import { quotaHeaders } from './rate-limiter.js';

type ApiKeyRequest = FastifyRequest & { apiKey?: ApiKeyPrincipal };

/**
 * Authenticates a partner's request by the API key in its body. A successful request counts as a use
 * of the key.
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
    const reply = http.getResponse<FastifyReply>();
    const caller = { ip: clientIp(request), origin: request.headers.origin };
    const { apiKey, quota, verifiedAt } = await this.verify(request, caller, reply);
    request.apiKey = apiKey;
    reply.headers(quotaHeaders(quota));
    // An interceptor would take a quarter of the request's time. `close` is also emitted when the
    // client disconnects during its answer, which counts as a use of the key too.
    reply.raw.once('close', () => {
      const { headersSent, statusCode } = reply.raw;
      if (!headersSent) return;
      const event = { key: apiKey, at: verifiedAt, ip: caller.ip };
      if (statusCode < 400) this.usage.record({ kind: 'use', ...event, count: 1 });
      if (isRefusal(statusCode)) {
        this.usage.record({ kind: 'refusal', ...event, isKeyInactive: false, count: 1 });
      }
    });
    return true;
  }

  private async verify({ body }: ApiKeyRequest, caller: Caller, reply: FastifyReply) {
    try {
      return await this.verifier.verify(bodyField(body, 'api_key'), caller);
    } catch (error) {
      // Pages of all origins may read a refusal, except those that the knowledge base does not allow.
      if (error instanceof Problem && error.code === 'origin_not_allowed') {
        void reply.removeHeader('access-control-allow-origin');
      }
      throw error;
    }
  }
}

/** Guards run before pipes, so the body may be any JSON value. */
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
