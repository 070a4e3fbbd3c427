import type { FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/config.js';
import { isLoopback } from '../../platform/config/validators.js';

/**
 * Whether a page is the service's own, such as the page to share. Without PUBLIC_URL the host of the request decides,
 * which browsers do not let a page choose; whether a proxy speaks https is not seen here.
 */
export function isOwnOrigin(
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  origin: string,
  { host }: Pick<FastifyRequest, 'host'>,
): boolean {
  const url = URL.parse(origin);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  if (PUBLIC_URL !== undefined && origin === new URL(PUBLIC_URL).origin) return true;
  const mayBeNamed = PUBLIC_URL === undefined || isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  return mayBeNamed && url.host === host;
}
