import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { MAX_MESSAGES } from './given-messages.js';

/**
 * Removes null fields, which clients copy from earlier answers, and messages older than the service reads.
 * This is an interceptor so that it runs before the pipes.
 */
export class LenientBody implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const body = withoutNulls(request.body);
    if (isObject(body) && 'messages' in body && Array.isArray(body.messages)) {
      request.body = { ...body, messages: newestMessages(body.messages).map(withoutNulls) };
    } else request.body = body;
    return next.handle();
  }
}

/** Keeps all instructions, because they apply to the whole conversation. */
export function newestMessages(messages: readonly unknown[]): readonly unknown[] {
  const left = messages.length - MAX_MESSAGES;
  if (left <= 0) return messages;
  let older = 0;
  return messages.filter((message) => isInstruction(message) || ++older > left);
}

const isInstruction = (message: unknown): boolean =>
  isObject(message) &&
  'role' in message &&
  (message.role === 'system' || message.role === 'developer');

const withoutNulls = (value: unknown): unknown =>
  isObject(value) && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
    : value;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
