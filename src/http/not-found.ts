import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problem.js';

/**
 * Answers for what no route takes: 405 where the path exists with other methods, 404 elsewhere.
 * Must be called before the routes are registered.
 */
export function watchRoutes(fastify: FastifyInstance): (request: FastifyRequest) => Problem {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  fastify.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const pattern = new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+')}$`);
    routes.push({ pattern, methods: [method].flat() });
  });
  return (request) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const allowed = routes.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : []));
    return allowed.length === 0
      ? new Problem('not_found')
      : new Problem('method_not_allowed', {
          headers: { allow: [...new Set(allowed)].sort().join(', ') },
        });
  };
}
