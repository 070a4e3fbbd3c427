import { APIConnectionTimeoutError, APIError, APIUserAbortError, APIConnectionError } from 'openai';

interface FailedEndpoint {
  readonly baseUrl: string;
  /** What the names of its environment variables begin with. */
  readonly variables: 'LLM' | 'EMBEDDINGS';
}

/** What the system's errors mean to an operator. */
const MEANINGS: readonly [code: RegExp, meaning: string][] = [
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [/^ENOTFOUND$/, 'no such host name'],
  [/^EAI_AGAIN$/, 'names cannot be looked up'],
  [/^E(HOST|NET)UNREACH$/, 'no way leads there'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'no connection in time'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was cut'],
  [/CERT|TLS|SSL/, 'its certificate is not accepted'],
];
/** Errors wrap each other no deeper. */
const MAX_CAUSES = 5;

export const hostOf = ({ baseUrl }: { readonly baseUrl: string }): string => new URL(baseUrl).host;

/**
 * Why an endpoint gave no answer, with its host: in the system's words or ours, never in those of
 * the provider, which may hold anything, and without the rest of the URL, which may hold a secret.
 */
export const describeFailure = (error: unknown, endpoint: FailedEndpoint): string =>
  `${hostOf(endpoint)} ${reasonOf(error, endpoint.variables)}`;

function reasonOf(error: unknown, variables: FailedEndpoint['variables']): string {
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) {
    return 'does not answer in time';
  }
  // Its code is the provider's.
  if (error instanceof APIError && !(error instanceof APIConnectionError)) {
    return answered(error.status as number | undefined, variables);
  }
  const code = systemCode(error);
  if (code === undefined) return 'gives no whole answer';
  const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(code)) ?? [];
  return `does not answer: ${code}${meaning === undefined ? '' : `, ${meaning}`}`;
}

function answered(status: number | undefined, variables: FailedEndpoint['variables']): string {
  switch (status) {
    case undefined:
      return 'gives no whole answer';
    case 401:
    case 403:
      return `refuses ${variables}_API_KEY (${status})`;
    case 404:
      return `answers 404: the path of ${variables}_BASE_URL or ${variables}_MODEL is unknown there`;
    default:
      return status < 400
        ? `redirects (${status}), which is not followed: put its final address into ${variables}_BASE_URL`
        : `answers ${status}`;
  }
}

/** Of the innermost error that has one, such as `ECONNREFUSED`. */
function systemCode(error: unknown): string | undefined {
  let code: string | undefined;
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    if ('code' in cause && typeof cause.code === 'string') code = cause.code;
    cause = cause.cause;
  }
  return code;
}
