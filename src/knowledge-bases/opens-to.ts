import { applyDecorators } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import { AddRouteConfig } from '../platform/http/nest-metadata.js';
import { MANAGEMENT_KEY_SECURITY, MayAnswer } from '../platform/openapi/operation.js';
import { Problem } from '../platform/problems/problem.js';
import type { ManagementScope } from './management-scope.js';

/** The scope of service accounts' keys that an operation accepts; `persons only` for none. */
export type OpenTo = ManagementScope | 'persons only';

const OPEN_TO = Symbol('open to');

/** Declares the scope of service accounts' keys that a handler of the dashboard accepts. */
export const OpensTo = (scope: OpenTo): MethodDecorator => {
  const declare: MethodDecorator = (_, __, { value }) => {
    Reflect.defineMetadata(OPEN_TO, scope, value as object);
  };
  if (scope === 'persons only') return declare;
  return applyDecorators(
    declare,
    AddRouteConfig({ managementScope: scope } satisfies ManagedRoute),
    ApiSecurity(MANAGEMENT_KEY_SECURITY, [scope]),
    MayAnswer('insufficient_scope', 'invalid_api_key'),
  );
};

/** The part of a route that the guard reads; empty for an operation for persons only. */
export interface ManagedRoute {
  readonly managementScope?: ManagementScope;
}

/** The declaration of a handler; undefined for none. */
export const openTo = (handler: object): OpenTo | undefined =>
  Reflect.getMetadata(OPEN_TO, handler) as OpenTo | undefined;

export const personsOnly = () =>
  new Problem('insufficient_scope', { detail: 'Service accounts cannot use this operation.' });
