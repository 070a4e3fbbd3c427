import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../api-keys/api-key.guard.js';

/** Whether a request body asks for a token exchange, whose credential is the token in it. */
export const isTokenExchange = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, 'grant_type');

/** An ApiKeyGuard that lets token exchanges pass. */
@Injectable()
export class ClientTokenGuard extends ApiKeyGuard {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    return isTokenExchange(body) || super.canActivate(context);
  }
}
