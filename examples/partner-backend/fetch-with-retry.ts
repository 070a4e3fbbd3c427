import { setTimeout as wait } from 'node:timers/promises';

const ATTEMPTS = 5;
const LONGEST_WAIT_SECONDS = 60;

/**
 * fetch, repeated after 429 (the key's limit is used up) and 503, which say in Retry-After when. Any
 * other refusal stays one, however often it is repeated.
 */
export async function fetchWithRetry(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init);
    // Something in front of the service may send a date there, or nothing.
    const seconds = Number(response.headers.get('retry-after')) || 2 ** attempt;
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || seconds > LONGEST_WAIT_SECONDS || attempt === ATTEMPTS) return response;
    await response.body?.cancel();
    // Up to a second more: those who were turned away together must not come back together.
    await wait((seconds + Math.random()) * 1000);
  }
}
