import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import { RefuseUnreadBodies } from '../../platform/http/refuse-unread-bodies.js';
import type { Tag } from '../../platform/openapi/open-api.js';
import { DASHBOARD_SECURITY, MayAnswer } from '../../platform/openapi/operation.js';
import { DashboardAuthGuard } from './dashboard-auth.guard.js';

/** A controller whose callers are dashboard users. */
export const DashboardController = (tag: Tag, path = '') =>
  applyDecorators(
    Controller(path),
    UseGuards(DashboardAuthGuard),
    RefuseUnreadBodies(),
    ApiTags(tag),
    ApiSecurity(DASHBOARD_SECURITY),
    MayAnswer(
      'invalid_user_id',
      'dashboard_authentication_required',
      'host_not_allowed',
      'origin_not_allowed',
      'database_unavailable',
      'identity_provider_unavailable',
    ),
  );
