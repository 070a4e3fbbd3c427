import cors, { type FastifyCorsOptions } from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import type { RouteTable } from './route-table.js';

/**
 * CORS for routes with `anyOrigin` in their configuration. A preflight has neither body nor credential,
 * so the allowed origins are unknown: it always passes, and the guard checks the request.
 */
const ANY_ORIGIN: FastifyCorsOptions = {
  origin: true,
  methods: ['POST'],
  exposedHeaders: [
    ...['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
    ...['DPoP-Nonce', 'WWW-Authenticate'],
  ],
  maxAge: 600,
};

/** Sets the headers by which browsers restrict our own pages (CSP) and other pages (CORS). */
export async function protectBrowsers(
  app: NestFastifyApplication,
  routes: RouteTable,
  { DASHBOARD_ALLOWED_ORIGINS }: Config,
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: [`'self'`],
        // Swagger UI sets styles and draws its icons inline.
        styleSrc: [`'self'`, `'unsafe-inline'`],
        imgSrc: [`'self'`, 'data:'],
        // This would make browsers use https, which a service on a local network may not have.
        upgradeInsecureRequests: null,
      },
    },
  });
  const dashboard: FastifyCorsOptions = {
    // Without a list, only pages of our own origin may read the answer.
    origin: DASHBOARD_ALLOWED_ORIGINS.length > 0 && [...DASHBOARD_ALLOWED_ORIGINS],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    maxAge: 600,
  };
  await app.register(cors, {
    delegator: ({ url }: FastifyRequest, done) => {
      const isForAll = routes.match(url).some(({ config }) => config && 'anyOrigin' in config);
      done(null, isForAll ? ANY_ORIGIN : dashboard);
    },
  });
}
