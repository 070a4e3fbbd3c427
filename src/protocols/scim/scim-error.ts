import { Problem } from '../../platform/problems/problem.js';
import { textOf } from '../../platform/problems/remediation.js';

const TYPES: Record<number, string> = { 400: 'invalidValue', 409: 'uniqueness' };

/** A PATCH replaces a value that is not there. */
export class NoTarget extends Problem {
  constructor(detail: string) {
    super('validation_failed', { detail });
  }
}

/** A problem in the form of RFC 7644. */
export function toScimError(problem: Problem) {
  const status = problem.getStatus();
  const scimType = problem instanceof NoTarget ? 'noTarget' : TYPES[status];
  return {
    status,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType !== undefined && { scimType }),
      detail: `${problem.code}: ${textOf(problem)}`,
    },
  };
}
