import { type Problem } from '../../platform/problems/problem.js';
import { textOf } from '../../platform/problems/remediation.js';

const TYPES: Record<number, string> = { 400: 'invalidValue', 409: 'uniqueness' };

/** A problem in the form of RFC 7644. */
export function toScimError(problem: Problem) {
  const status = problem.getStatus();
  const scimType = TYPES[status];
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
