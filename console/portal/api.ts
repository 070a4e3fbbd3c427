/** A problem of the service (RFC 9457). */
export class PortalError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly openedAt?: string,
  ) {
    super(message);
  }
}

/** What a link tells before it is opened. */
export interface ShownLink {
  readonly recipient: string | null;
  readonly key_name: string;
  readonly expires_at: string;
}

/** One of the three, and its period. */
export interface Budget {
  readonly messages?: number | null;
  readonly tokens?: number | null;
  readonly cost?: number | null;
  readonly period: string;
}

/** The limits of a key, or what remains of them; null where there is none. */
interface Limits {
  readonly rate_limit_per_minute: number | null;
  readonly daily_message_limit: number | null;
  readonly budget: Budget | null;
}

export interface Connection {
  readonly id: string;
  readonly client_name: string;
  readonly client_host: string | null;
  readonly connected_at: string;
  readonly last_used_at: string | null;
}

/** What the portal shows of a key, as `PortalView` of the service. */
export interface View {
  readonly link_id: string;
  readonly recipient: string | null;
  readonly session_ends_at: string;
  readonly prefix: string;
  readonly key: {
    readonly name: string;
    readonly kbs: readonly unknown[];
    readonly scopes: readonly string[];
    readonly expires_at: string | null;
    /** Null for a key that nothing has to be proved for. */
    readonly sender_constraint: object | null;
    readonly limits: Limits;
    readonly remaining: Limits;
    readonly usage_30d: { readonly requests: number };
    readonly notices: readonly { readonly code: string; readonly message: string }[];
    readonly connections: readonly Connection[];
  };
  readonly rotation_grace_seconds: number | null;
  readonly replaced_until: string | null;
  readonly has_agents: boolean;
}

export interface Rotation {
  /** Whether each request with the key needs a proof of a key pair. */
  readonly is_bound: boolean;
  readonly api_key: string;
  readonly prefix: string;
  readonly replaced_until: string | null;
}

export interface Day {
  /** The day, as a number since 1970. */
  readonly day: number;
  readonly requests: number;
  readonly refused: number;
}

interface Sent {
  readonly body?: object;
  /** The link whose key the page shows, so that nothing is done to another key. */
  readonly link?: string;
  readonly headers?: Record<string, string>;
}

/**
 * Calls the portal's part of the service.
 *
 * @param path below `/portal`
 * @throws PortalError
 */
export async function call<T>(method: 'GET' | 'POST', path: string, sent: Sent = {}): Promise<T> {
  const { body, link, headers } = sent;
  const response = await fetch(`portal/${path}`, {
    method,
    headers: {
      ...headers,
      ...(link !== undefined && { 'x-portal-link': link }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const answer = (await response?.json().catch(() => undefined)) as
    { readonly code?: string; readonly detail?: string; readonly opened_at?: string } | undefined;
  if (!response || answer === undefined) {
    throw new PortalError('unreachable', 'The service does not answer. Try again.');
  }
  if (!response.ok) {
    const { code = '', detail = 'The service refused it.', opened_at } = answer;
    throw new PortalError(code, detail, opened_at);
  }
  return answer as T;
}
