import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,128}$/;

/** The client's own request id where it is one, else a new one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && VISIBLE_ASCII.test(given) ? given : randomUUID();
}
