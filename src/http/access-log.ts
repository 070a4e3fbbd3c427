import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What guards attach to a request, as far as the log tells it. */
type IdentifiedRequest = FastifyRequest & {
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
