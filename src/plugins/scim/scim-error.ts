import { Problem } from '../../platform/problems/problem.js';
import { toText } from '../../platform/problems/remediation.js';

const TYPES: Record<number, string> = { 400: 'invalidValue', 409: 'uniqueness' };

/** A refusal that RFC 7644 has a name for. */
export class ScimProblem extends Problem {
  constructor(
    readonly scimType: 'invalidPath' | 'noTarget',
    detail: string,
  ) {
    super('validation_failed', { detail });
  }
}

/** The path of an operation names nothing that it could change. */
export const invalidPath = (detail: string) => new ScimProblem('invalidPath', detail);

/** An operation is about a value that is not there. */
export const noTarget = (detail: string) => new ScimProblem('noTarget', detail);

/** A problem in the form of RFC 7644. */
export function toScimError(problem: Problem) {
  const status = problem.getStatus();
  const scimType = problem instanceof ScimProblem ? problem.scimType : TYPES[status];
  return {
    status,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType !== undefined && { scimType }),
      detail: `${problem.code}: ${toText(problem)}`,
    },
  };
}
