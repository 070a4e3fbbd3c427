import type { IncomingMessage } from 'node:http';

/** How long the rest of a refused body is read, and thrown away, so that the answer arrives. */
const LINGER_MS = 1000;

/** Ends the connection soon, unless the client has sent all there is before. */
export function leaveUnread(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
  if (request.complete) return;
  const end = setTimeout(() => request.destroy(), LINGER_MS).unref();
  request.once('end', () => {
    clearTimeout(end);
  });
}
