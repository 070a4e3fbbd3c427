import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiKeyPrincipal, ApiKeyVerifier } from './api-key-verifier.js';
import { clientIp } from './client-ip.js';
import { quotaHeaders } from './rate-limiter.js';

export type ApiKeyRequest = FastifyRequest & { apiKey?: ApiKeyPrincipal };

/** Credential 2: lets a request through as the API key in its body, or not at all. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly verifier: ApiKeyVerifier) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiKeyRequest>();
    const secret = bodyField(request.body, 'api_key');
    const { apiKey, quota } = await this.verifier.verify(secret, clientIp(request));
    request.apiKey = apiKey;
    http.getResponse<FastifyReply>().headers(quotaHeaders(quota));
    return true;
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
