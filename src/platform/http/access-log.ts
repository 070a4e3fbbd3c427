import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.js';
import type { AnsweredRequest } from './answered-request.js';

/** A request with the logged fields that guards attach to it. */
type IdentifiedRequest = AnsweredRequest & {
  dashboardUser?: { id: string };
  apiKey?: { id: string };
};

/** Logs one line per response, with the route instead of the URL, which may contain secrets by mistake. */
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

/** Counts and times responses by route: by URL, there would be a time series for each id. */
export function observeAnswers(fastify: FastifyInstance, { requests }: Metrics): void {
  fastify.addHook('onResponse', (request: AnsweredRequest, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const { method, problemCode: code = '' } = request;
    requests.observe({ method, route, status: reply.statusCode, code }, reply.elapsedTime / 1000);
    done();
  });
}
