import type { Problem } from '../../platform/problems/problem.js';
import { toText } from '../../platform/problems/remediation.js';

const INVALID_AUTHORIZATION_HEADER = 1001;
const AUTHORIZATION_FAILED = 1002;
const KNOWLEDGE_DOES_NOT_EXIST = 2001;

/** A problem in the format of Dify's external knowledge API, which has its own codes for some errors. */
export function toDifyError(problem: Problem) {
  const status = problem.getStatus();
  const error_msg = `${problem.code}: ${toText(problem)}`;
  if (problem.code === 'api_key_required') {
    return { status: 403, body: { error_code: INVALID_AUTHORIZATION_HEADER, error_msg } };
  }
  if (status === 401 || status === 403) {
    return { status: 403, body: { error_code: AUTHORIZATION_FAILED, error_msg } };
  }
  if (status === 404) return { status, body: { error_code: KNOWLEDGE_DOES_NOT_EXIST, error_msg } };
  return { status, body: { error_code: status, error_msg } };
}
