import { LatchkeyDashboard, LatchkeyError } from '@latchkey/client';
import { printable } from './printable.js';

export type Client = LatchkeyDashboard;

/** The upload of a large file may take this long. */
const TIMEOUT_MS = 10 * 60_000;

/** The address of the service, and the dashboard user. */
export interface Connection {
  readonly url: string;
  readonly user: string | undefined;
  /** An API key, sent instead of the user and what a deployment requires with it. */
  readonly apiKey?: string;
}

/**
 * A client of the service. Secrets are read from the environment only, because every user of the
 * machine can read the arguments of a process.
 */
export function connect({ url, user, apiKey }: Connection): Client {
  const { LATCHKEY_GATEWAY_SECRET: gatewaySecret, LATCHKEY_TOKEN: token } = process.env;
  const headers: Record<string, string> =
    apiKey !== undefined
      ? { authorization: `Bearer ${apiKey}` }
      : {
          ...(user && { 'x-idp-user-id': user }),
          ...(gatewaySecret && { 'x-gateway-secret': gatewaySecret }),
          ...(token && { authorization: `Bearer ${token}` }),
        };
  return new LatchkeyDashboard({ baseUrl: url, timeoutMs: TIMEOUT_MS, headers: () => headers });
}

/** Whether the service answered, and refused the request. */
export const isRefusal = (error: unknown): error is LatchkeyError =>
  error instanceof LatchkeyError && error.status > 0;

/** Describes an error on several lines, with the wrong fields and the request id to quote when asking for help. */
export function describeError({ status, code, message, problem }: LatchkeyError): string {
  const lines = problem
    ? [
        `${status} ${code}: ${problem.detail}`,
        ...(problem.errors ?? []).map(({ field, message: what }) => `  ${field}: ${what}`),
        `  (request ${problem.request_id})`,
      ]
    : [message];
  return lines.map(printable).join('\n');
}

/** Reads all pages of a list. @throws LatchkeyError */
export async function readAllPages<Row>(
  get: (query: {
    limit: number;
    cursor?: string;
  }) => Promise<{ data: Row[]; next_cursor: string | null }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await get({ limit: 100, ...(cursor && { cursor }) });
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}
