import type { Problem } from '../../platform/problems/problem.js';
import { toText } from '../../platform/problems/remediation.js';

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

/** Converts a problem to OpenAI's format: `message` is for people, `code` for programs. */
export function toOpenAiError(problem: Problem, requestId: string) {
  const status = problem.getStatus();
  const { errors = [] } = problem.toBody(requestId) as { errors?: { field: string }[] };
  return {
    error: {
      message: toText(problem),
      type: TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error'),
      param: errors[0]?.field ?? null,
      code: problem.code,
      request_id: requestId,
    },
  };
}
