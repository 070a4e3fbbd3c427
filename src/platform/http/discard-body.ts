import type { FastifyReply, FastifyRequest } from 'fastify';

/** A client that is still sending when its connection is cut may never read the response. */
const DISCARD_MS = 1000;

/** Reads the rest of a refused body for a moment and discards it, then cuts the connection. */
export function discardBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.unpipe();
  raw.resume();
  if (raw.complete) return;
  // Fastify would cut the connection at once if the media type is malformed.
  if (reply.hasHeader('connection')) void reply.removeHeader('connection');
  const timer = setTimeout(() => raw.destroy(), DISCARD_MS).unref();
  raw.once('end', () => {
    clearTimeout(timer);
  });
}
