import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import { isLoopback } from '../config/validators.js';

/**
 * The service's own address, without a slash at its end: PUBLIC_URL or, where a request comes to
 * loopback, the address that it names.
 */
export function findOwnAddress(
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  { headers: { host = '' } }: Pick<FastifyRequest, 'headers'>,
): string | undefined {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL.replace(/\/$/, '');
  // The owner of any other name could point it here.
  const url = URL.parse(`http://${host}`);
  return url && url.host === host.toLowerCase() && isLoopback(url.hostname.replace(/^\[|\]$/g, ''))
    ? url.origin
    : undefined;
}

/** The own address; where it is not known, as the request names it. Only for what the sender of the request sees. */
export const findAddressForSender = (
  config: Pick<Config, 'PUBLIC_URL'>,
  request: FastifyRequest,
): string => findOwnAddress(config, request) ?? `${request.protocol}://${request.host}`;
