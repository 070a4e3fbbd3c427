import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { AddRouteConfig } from '../platform/http/nest-metadata.js';
import { MayAnswer, SCOPES_EXTENSION } from '../platform/openapi/operation.js';
import {
  CLIENT_TOKEN_SCOPES,
  ISSUE_CLIENT_TOKENS,
  type PartnerRoute,
  type RequiredScope,
} from './scope.js';

/**
 * Declares the scope of a partner's route, which ApiKeyGuard requires. If there are several, one is enough;
 * the operation then calls `requireScope` for what it actually does.
 */
export const RequiresScope = (...scopes: [RequiredScope, ...RequiredScope[]]) =>
  applyDecorators(
    AddRouteConfig({ scopes } satisfies PartnerRoute),
    ApiExtension(
      SCOPES_EXTENSION,
      scopes.flatMap((scope) => (scope === ISSUE_CLIENT_TOKENS ? CLIENT_TOKEN_SCOPES : [scope])),
    ),
    MayAnswer('insufficient_scope'),
  );
