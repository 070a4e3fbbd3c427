import type { ClientRequest } from 'node:http';

/** More than any server sends before its answer. */
const MAX_RESPONSES = 10;

/**
 * Fails a request whose server sends informational responses (1xx) without an end: each takes time, and
 * they count neither as silence nor as a body.
 */
export function limitInformation(request: ClientRequest): void {
  let responses = 0;
  request.on('information', () => {
    if (++responses > MAX_RESPONSES) request.destroy(new Error('The server does not answer'));
  });
}
