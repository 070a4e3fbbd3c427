import type { IncomingMessage } from 'node:http';

/** A client that is still sending when its connection is cut may never read the answer. */
const DISCARD_MS = 1000;

/** Reads the rest of a refused body for a moment and discards it, then cuts the connection. */
export function discardBody(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
  if (request.complete) return;
  const timer = setTimeout(() => request.destroy(), DISCARD_MS).unref();
  request.once('end', () => {
    clearTimeout(timer);
  });
}
