import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.js';
import type { AnsweredRequest } from '../problems/problem.filter.js';

/** What guards attach to a request, as far as the log tells it. */
type IdentifiedRequest = AnsweredRequest & {
  dashboardUser?: { id: string };
  apiKey?: { id: string };
};

/**
 * One line for each answer. It names the route and not the URL: people put secrets into URLs by
 * mistake.
 */
export function logAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', (request: IdentifiedRequest, reply, done) => {
    const route = request.routeOptions.url;
    const level = route?.startsWith('/health/') ? 'debug' : 'info';
    request.log[level](
      {
        method: request.method,
        route: route ?? 'none',
        status: reply.statusCode,
        code: request.problemCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        user_id: request.dashboardUser?.id,
        key_id: request.apiKey?.id,
        ip: request.ip,
      },
      'answered',
    );
    done();
  });
}

/** Measures each answer, by route and not by URL, so that there are only so many. */
export function measureAnswers(fastify: FastifyInstance, { requests }: Metrics): void {
  fastify.addHook('onResponse', (request: AnsweredRequest, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const { method, problemCode: code = '' } = request;
    requests.observe({ method, route, status: reply.statusCode, code }, reply.elapsedTime / 1000);
    done();
  });
}
