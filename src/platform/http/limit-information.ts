import type { ClientRequest } from 'node:http';

/** More than any server sends before its response. */
const MAX_RESPONSES = 10;

/**
 * Fails a request whose server sends endless informational responses (1xx). Each takes time, but counts
 * neither as silence nor as a body.
 */
export function limitInformation(request: ClientRequest): void {
  let responses = 0;
  request.on('information', () => {
    if (++responses > MAX_RESPONSES) request.destroy(new Error('The server does not answer'));
  });
}
