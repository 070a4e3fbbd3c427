import { setTimeout as wait } from 'node:timers/promises';

const ATTEMPTS = 5;
const LONGEST_WAIT_SECONDS = 60;

/**
 * fetch that tries again after 429 (the key's limit is used up) and 503, when Retry-After says.
 * Repeating a request does not help against other errors.
 */
export async function fetchWithRetry(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init);
    // A proxy in front of the service may send a date, or no Retry-After.
    const seconds = Number(response.headers.get('retry-after')) || 2 ** attempt;
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || seconds > LONGEST_WAIT_SECONDS || attempt === ATTEMPTS) return response;
    await response.body?.cancel();
    // The random part keeps clients that were refused together from returning together.
    await wait((seconds + Math.random()) * 1000);
  }
}
