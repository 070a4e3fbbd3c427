/** Why a question has no answer. */
export type Failure =
  'paused' | 'spent' | 'tooFast' | 'forbidden' | 'offline' | 'cutOff' | 'failed';

export class SiteError extends Error {
  constructor(readonly failure: Failure) {
    super(`The site does not answer: ${failure}`);
  }
}

/** The token has expired, or the service does not know it. */
export class TokenError extends SiteError {
  constructor() {
    super('failed');
  }
}

/** The site or the conversation does not exist. */
export class NotFoundError extends SiteError {
  constructor() {
    super('failed');
  }
}

const FAILURES: Readonly<Record<string, Failure>> = {
  site_paused: 'paused',
  budget_reached: 'spent',
  daily_limit_reached: 'spent',
  rate_limited: 'tooFast',
  knowledge_base_busy: 'tooFast',
  origin_not_allowed: 'forbidden',
};

const LONG_SECONDS = 120;

/** @throws SiteError */
export async function send(
  url: string,
  { body, token, signal }: { body?: object; token?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    credentials: 'omit',
    cache: 'no-store',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch(() => {
    throw new SiteError(navigator.onLine ? 'failed' : 'offline');
  });
  if (response.ok) return response;
  const { code = '' } = (await response.json().catch(() => ({}))) as { code?: string };
  if (code === 'client_token_expired' || code === 'invalid_api_key') throw new TokenError();
  if (response.status === 404) throw new NotFoundError();
  // What is limited by the day does not end in a minute.
  const isLong = Number(response.headers.get('retry-after')) > LONG_SECONDS;
  if (code === 'origin_not_allowed') {
    console.warn(`Latchkey: ${location.origin} is not among the origins of the site.`);
  }
  throw new SiteError(isLong ? 'spent' : (FAILURES[code] ?? 'failed'));
}
