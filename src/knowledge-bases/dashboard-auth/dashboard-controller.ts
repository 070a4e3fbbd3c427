import {
  applyDecorators,
  type CanActivate,
  Controller,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { AddRouteConfig, listHandlers, getHandlerPath } from '../../platform/http/nest-metadata.js';
import { RefuseUnreadBodies } from '../../platform/http/refuse-unread-bodies.js';
import { BodyReader, READS_BODY_LAST } from '../../platform/http/request-body.js';
import type { Tag } from '../../platform/openapi/tags.js';
import { DASHBOARD_SECURITY, MayAnswer } from '../../platform/openapi/operation.js';
import { requiredAccess } from '../access.js';
import { AccessGuard } from '../access.guard.js';
import { openTo } from '../opens-to.js';
import { DashboardAuthGuard } from './dashboard-auth.guard.js';

/**
 * Declares a controller whose callers are dashboard users. Every handler with an id in its path needs
 * Access, every other one OpensTo; otherwise the service does not start.
 *
 * @param guard instead of the two of the dashboard, which it asks unless there is another credential
 */
export const DashboardController = (tag: Tag, path = '', guard?: Type<CanActivate>) =>
  applyDecorators(
    Controller(path),
    UseGuards(...(guard ? [guard] : [DashboardAuthGuard, AccessGuard]), BodyReader),
    configureRoutes(path),
    RefuseUnreadBodies(),
    ApiTags(tag),
    ApiSecurity(DASHBOARD_SECURITY),
    MayAnswer(
      'invalid_user_id',
      'invalid_groups',
      'dashboard_authentication_required',
      'host_not_allowed',
      'origin_not_allowed',
      'database_unavailable',
      'identity_provider_unavailable',
    ),
  );

/** @throws Error for a handler without Access to a resource that its path has an id of, or without OpensTo */
const configureRoutes =
  (base: string): ClassDecorator =>
  (controller) => {
    for (const { name, handler, apply } of listHandlers(controller)) {
      const path = `${base}/${getHandlerPath(handler)}`;
      const required = requiredAccess(handler);
      if (path.includes(':') && !(required && path.includes(`:${required.resource}_id`))) {
        throw new Error(`${controller.name}.${name} needs Access by an id of its path`);
      }
      if (openTo(handler) === undefined) {
        throw new Error(
          `${controller.name}.${name} needs OpensTo: which keys of service accounts?`,
        );
      }
      apply(AddRouteConfig(READS_BODY_LAST));
    }
  };
