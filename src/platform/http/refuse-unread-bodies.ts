import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  RequestMethod,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { MAX_ERRORS, Problem } from '../problems/problem.js';
import {
  listHandlers,
  hasBodyParameter,
  getRequestMethod,
  getRouteConfig,
} from './nest-metadata.js';
import { invalidFields, shorten, unknownField } from './body-shape.js';

/**
 * Rejects bodies with fields on handlers that read no body, because the sender expects the fields to
 * have an effect. It is an interceptor so that guards run first.
 */
export const RefuseUnreadBodies = (): ClassDecorator => (controller) => {
  for (const { name, handler, apply } of listHandlers(controller)) {
    if (getRequestMethod(handler) === RequestMethod.GET) continue;
    const { multipart, form, longLists } = getRouteConfig(handler) ?? {};
    const isRead = [multipart, form, longLists].some((way) => way !== undefined);
    if (isRead || hasBodyParameter(controller, name)) continue;
    apply(UseInterceptors(UnreadBodyInterceptor));
  }
};

class UnreadBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    requireNothing(context.switchToHttp().getRequest<FastifyRequest>().body);
    return next.handle();
  }
}

/**
 * Accepts a missing body, `{}` and `null`, which many clients send with every request.
 *
 * @throws Problem `validation_failed` for any other body
 */
export function requireNothing(body: unknown): void {
  if (body === undefined || body === null) return;
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Problem('validation_failed', { detail: 'This operation does not accept a body.' });
  }
  // The response repeats the names, so their length is limited.
  const fields = Object.keys(body).slice(0, MAX_ERRORS).map(shorten);
  if (fields.length > 0) throw invalidFields(fields.map(unknownField));
}
