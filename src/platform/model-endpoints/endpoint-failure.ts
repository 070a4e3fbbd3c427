import { APIConnectionTimeoutError, APIError, APIUserAbortError, APIConnectionError } from 'openai';

export interface FailedEndpoint {
  readonly baseUrl: string;
  /** The prefix of its environment variables. */
  readonly variables: 'LLM' | 'EMBEDDINGS' | 'RERANK' | 'OCR';
}

/** Explanations of system errors for operators. */
const MEANINGS: readonly [code: RegExp, meaning: string][] = [
  [/^ECONNREFUSED$/, 'nothing listens there'],
  [/^ENOTFOUND$/, 'no such host name'],
  [/^EAI_AGAIN$/, 'DNS lookup failed'],
  [/^E(HOST|NET)UNREACH$/, 'host unreachable'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'no connection in time'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was cut'],
  [/CERT|TLS|SSL/, 'its certificate is not trusted'],
];
/** With these statuses an endpoint rejects a text (too long, not allowed), but works. */
const REJECTION_STATUSES = [400, 413, 422];
/** The maximum depth of nested causes. */
const MAX_CAUSES = 5;

export const getHost = ({ baseUrl }: { readonly baseUrl: string }): string => new URL(baseUrl).host;

/** Whether the endpoint rejects this request but may accept others. */
export const isRejection = (error: unknown): boolean =>
  error instanceof APIError && REJECTION_STATUSES.includes(Number(error.status));

/**
 * Explains why an endpoint gave no answer. It never quotes the provider, which may quote anything, and
 * names only the host, since the rest of the URL may contain a secret.
 */
export const describeFailure = (error: unknown, endpoint: FailedEndpoint): string =>
  `${getHost(endpoint)} ${describeReason(error, endpoint.variables)}`;

function describeReason(error: unknown, variables: FailedEndpoint['variables']): string {
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) {
    return 'does not answer in time';
  }
  // The code of any other APIError comes from the provider.
  if (error instanceof APIError && !(error instanceof APIConnectionError)) {
    return describeStatus(error.status as number | undefined, variables);
  }
  const code = findSystemCode(error);
  if (code === undefined) return 'does not give a complete answer';
  const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(code)) ?? [];
  return `does not answer: ${code}${meaning === undefined ? '' : `, ${meaning}`}`;
}

function describeStatus(
  status: number | undefined,
  variables: FailedEndpoint['variables'],
): string {
  switch (status) {
    case undefined:
      return 'does not give a complete answer';
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

/** Returns the code of the innermost error that has one, such as `ECONNREFUSED`. */
function findSystemCode(error: unknown): string | undefined {
  let code: string | undefined;
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    if ('code' in cause && typeof cause.code === 'string') code = cause.code;
    cause = cause.cause;
  }
  return code;
}
