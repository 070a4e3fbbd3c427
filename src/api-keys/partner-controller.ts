import {
  applyDecorators,
  type CanActivate,
  Controller,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { AddRouteConfig, listHandlers, getRouteConfig } from '../platform/http/nest-metadata.js';
import { RefuseUnreadBodies } from '../platform/http/refuse-unread-bodies.js';
import { BodyReader, READS_BODY_LAST } from '../platform/http/request-body.js';
import type { Tag } from '../platform/openapi/tags.js';
import { API_KEY_SECURITY, MayAnswer } from '../platform/openapi/operation.js';
import { ApiKeyGuard } from './api-key.guard.js';
import type { PartnerRoute } from './scope.js';

interface PartnerOptions {
  readonly tag?: Tag;
  /** Defaults to `bearer or body`; see PartnerRoute.readsBodyLast. */
  readonly credential?: 'bearer' | 'bearer or body';
  /** Whether web pages may call it. */
  readonly browsers?: boolean;
  /** Replaces ApiKeyGuard, and extends it for requests without another credential. */
  readonly guard?: Type<CanActivate>;
}

/**
 * Declares a controller whose callers have an API key or a client token. Every handler needs RequiresScope;
 * otherwise the service does not start.
 */
export const PartnerController = (
  path = '',
  {
    tag = 'Ask',
    credential = 'bearer or body',
    browsers = true,
    guard = ApiKeyGuard,
  }: PartnerOptions = {},
) =>
  applyDecorators(
    Controller(path),
    UseGuards(guard, ...(credential === 'bearer' ? [BodyReader] : [])),
    RefuseUnreadBodies(),
    ApiTags(tag),
    ApiSecurity(API_KEY_SECURITY),
    ...(credential === 'bearer' ? [] : [ApiSecurity({})]),
    configureRoutes({
      ...(browsers && { anyOrigin: true }),
      ...(credential === 'bearer' && READS_BODY_LAST),
    }),
    MayAnswer(
      'api_key_required',
      'invalid_api_key',
      'api_key_revoked',
      'api_key_expired',
      'client_token_expired',
      'proof_required',
      'invalid_proof',
      'ip_not_allowed',
      'origin_not_allowed',
      'rate_limited',
      'verification_busy',
      'database_unavailable',
    ),
  );

/** @throws Error for a handler without RequiresScope */
const configureRoutes =
  (added: Omit<PartnerRoute, 'scopes'>): ClassDecorator =>
  (controller) => {
    for (const { name, handler, apply } of listHandlers(controller)) {
      if (!getRouteConfig(handler)?.['scopes']) {
        throw new Error(`${controller.name}.${name} needs RequiresScope`);
      }
      apply(AddRouteConfig(added));
    }
  };
