import { setTimeout as pause } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './latchkey.js';
import { printable } from './printable.js';

export type Latchkey = ReturnType<typeof createClient<paths>>;
type Problem = components['schemas']['ProblemDto'];

const ATTEMPTS = 5;
const LONGEST_WAIT_SECONDS = 60;

/** The address of the service, and the dashboard user. */
export interface Connection {
  readonly url: string;
  readonly user: string | undefined;
  /** An API key, in the place of the user and what a deployment requires beside it. */
  readonly apiKey?: string;
}

/** The service answered with a problem. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    problem: Partial<Problem>,
  ) {
    const { code = 'unknown', detail = '', errors = [], request_id } = problem;
    const lines = [
      `${status} ${code}: ${detail}`,
      ...errors.map(({ field, message }) => `  ${field}: ${message}`),
      ...(request_id === undefined ? [] : [`  (request ${request_id})`]),
    ];
    super(lines.map(printable).join('\n'));
  }
}

/** The service did not answer. */
export class Unreachable extends Error {}

/**
 * A client of the service. Secrets are read from the environment only, because every user of the
 * machine can read the arguments of a process.
 */
export function connect({ url, user, apiKey }: Connection): Latchkey {
  const { LATCHKEY_GATEWAY_SECRET: gatewaySecret, LATCHKEY_TOKEN: token } = process.env;
  return createClient<paths>({
    baseUrl: url,
    headers:
      apiKey !== undefined
        ? { authorization: `Bearer ${apiKey}` }
        : {
            ...(user && { 'x-idp-user-id': user }),
            ...(gatewaySecret && { 'x-gateway-secret': gatewaySecret }),
            ...(token && { authorization: `Bearer ${token}` }),
          },
    fetch: fetchWithRetry,
  });
}

/** Repeats requests that the service refused as too busy, before it did anything. */
async function fetchWithRetry(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(request.clone()).catch((error: unknown) => {
      throw new Unreachable(`${new URL(request.url).origin} does not answer: ${reason(error)}`);
    });
    const busy = response.status === 429 || response.status === 503;
    if (!busy || attempt === ATTEMPTS) return response;
    const seconds = Number(response.headers.get('retry-after') ?? attempt);
    if (!(seconds <= LONGEST_WAIT_SECONDS)) return response;
    await response.body?.cancel();
    // The random part keeps clients that were refused at the same time from returning together.
    await pause(seconds * 1000 + Math.random() * 500);
  }
}

/** The answer of the service, which is JSON unless a stream is requested. @throws Refusal */
export async function answer<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<Exclude<T, string>> {
  const { data, error, response } = await call;
  if (response.ok && data !== undefined) return data as Exclude<T, string>;
  throw new Refusal(response.status, typeof error === 'object' && error !== null ? error : {});
}

function reason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause ? String(cause.code) : cause.message;
}

/** Reads all pages of a list. @throws Refusal */
export async function everyPage<Row>(
  get: (query: { limit: number; cursor?: string }) => Promise<{
    data?: { data: Row[]; next_cursor: string | null };
    error?: unknown;
    response: Response;
  }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await answer(get({ limit: 100, ...(cursor && { cursor }) }));
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}
