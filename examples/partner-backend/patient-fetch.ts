import { setTimeout as pause } from 'node:timers/promises';

const ATTEMPTS = 5;
const LONGEST_WAIT_SECONDS = 60;

/**
 * fetch, again when the service asks for patience: 429 (the key's limit is used up) and 503. Both
 * say in Retry-After for how long. Any other refusal stays one, however often it is repeated.
 */
export async function patientFetch(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(request.clone());
    if ((response.status !== 429 && response.status !== 503) || attempt === ATTEMPTS) {
      return response;
    }
    const seconds = Number(response.headers.get('retry-after') ?? 2 ** attempt);
    if (!(seconds <= LONGEST_WAIT_SECONDS)) return response;
    await response.body?.cancel();
    // Up to a second more: those who were turned away together must not come back together.
    await pause((seconds + Math.random()) * 1000);
  }
}
