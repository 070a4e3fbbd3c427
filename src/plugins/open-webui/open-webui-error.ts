import type { Problem } from '../../platform/problems/problem.js';
import { toText } from '../../platform/problems/remediation.js';

/**
 * A problem in the form of Open WebUI. Its clients repeat an upload after a status of 500 or more only, so
 * what passes by itself has such a one.
 */
export const toOpenWebUiError = (problem: Problem) => ({
  status: problem.getStatus() === 429 ? 503 : problem.getStatus(),
  body: { detail: toText(problem), code: problem.code },
});
