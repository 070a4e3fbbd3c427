import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuthenticator, type ApiKeyRequest } from './api-key-authenticator.js';

/** Authenticates a partner's request by its API key or client token. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly authenticator: ApiKeyAuthenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    await this.authenticator.authenticate(
      http.getRequest<ApiKeyRequest>(),
      http.getResponse<FastifyReply>(),
    );
    return true;
  }
}

export const CurrentApiKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { apiKey } = context.switchToHttp().getRequest<ApiKeyRequest>();
  if (!apiKey) throw new Error('CurrentApiKey needs ApiKeyGuard');
  return apiKey;
});
