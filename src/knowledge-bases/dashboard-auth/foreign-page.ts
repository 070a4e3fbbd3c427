import type { FastifyRequest } from 'fastify';
import { Problem } from '../../platform/problems/problem.js';

/**
 * Refuses requests of a page of another origin if the browser adds the credential by itself, such as the
 * gateway's cookie. Other subdomains are foreign too: cookies do not distinguish them, and they can belong
 * to somebody else. Following a link is allowed, because it only shows the page it leads to.
 *
 * @param origins the origins whose pages may call nevertheless
 * @throws Problem `origin_not_allowed`
 */
export function refuseForeignPage(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  origins: readonly string[],
): void {
  // Only browsers send this header, over https or to this machine.
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  if (headers.origin !== undefined && origins.includes(headers.origin)) return;
  const isLink = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  if (isLink && headers['sec-fetch-dest'] === 'document') return;
  throw new Problem('origin_not_allowed', {
    detail: 'Pages of other origins may not act for a dashboard user.',
  });
}
