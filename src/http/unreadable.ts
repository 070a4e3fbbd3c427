import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../problems/problem.js';

/** Answers what is not HTTP enough to become a request, in the form of every other problem. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const problem = new Problem('validation_failed', {
    status: tooLarge ? 431 : timedOut ? 408 : 400,
    detail: tooLarge
      ? 'The headers are too large.'
      : timedOut
        ? 'The request did not arrive in time.'
        : 'The request is not well-formed HTTP.',
  });
  const body = JSON.stringify(problem.toBody(requestId));
  const status = problem.getStatus();
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      `X-Request-Id: ${requestId}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
