import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { McpAuthenticator, type McpRequest } from './mcp-authenticator.js';

@Injectable()
export class McpGuard implements CanActivate {
  constructor(private readonly authenticator: McpAuthenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    await this.authenticator.authenticate(
      http.getRequest<McpRequest>(),
      http.getResponse<FastifyReply>(),
    );
    return true;
  }
}
