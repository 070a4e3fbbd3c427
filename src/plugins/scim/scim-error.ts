import { Problem } from '../../platform/problems/problem.js';
import { toText } from '../../platform/problems/remediation.js';

const TYPES: Record<number, string> = { 400: 'invalidValue', 409: 'uniqueness' };

/** A refusal with a `scimType` of RFC 7644. */
export class ScimProblem extends Problem {
  constructor(
    readonly scimType: 'invalidPath' | 'noTarget',
    detail: string,
  ) {
    super('validation_failed', { detail });
  }
}

/** The path of an operation names nothing that can be changed. */
export const invalidPath = (detail: string) => new ScimProblem('invalidPath', detail);

/** An operation targets a value that does not exist. */
export const noTarget = (detail: string) => new ScimProblem('noTarget', detail);

/** Converts a problem to the format of RFC 7644. */
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
