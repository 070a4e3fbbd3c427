import type { OpenAPIObject } from '@nestjs/swagger';
import { API_KEY_SECURITY, SCOPES_EXTENSION } from './operation.js';
import { listOperations } from './list-operations.js';

/** Documents the scopes of keys; several scopes are alternatives. */
export function describeScopes(document: OpenAPIObject): void {
  for (const { operation } of listOperations(document)) {
    const scopes = operation[SCOPES_EXTENSION] as readonly string[] | undefined;
    if (!scopes) continue;
    operation.security = operation.security?.flatMap((requirement) =>
      API_KEY_SECURITY in requirement
        ? scopes.map((scope) => ({ [API_KEY_SECURITY]: [scope] }))
        : [requirement],
    );
  }
}
