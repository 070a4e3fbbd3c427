import cors, { type FastifyCorsOptions } from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';

/**
 * Whose credential is an API key in the body, which a preflight does not have: any page may ask, and
 * the guard refuses those that the knowledge base does not list.
 */
const ASKING = /^\/api\/v1\/(query|chat|messages\/[^/]+\/feedback)$/;

/** What browsers are told: what our own pages may do, and which other pages may call us. */
export async function protectBrowsers(
  app: NestFastifyApplication,
  { dashboardOrigins }: Config,
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: [`'self'`],
        // Swagger UI sets styles and draws its icons inline.
        styleSrc: [`'self'`, `'unsafe-inline'`],
        imgSrc: [`'self'`, 'data:'],
        // It would turn plain http on a local network into https that nobody serves.
        upgradeInsecureRequests: null,
      },
    },
  });
  const asking: FastifyCorsOptions = {
    origin: true,
    methods: ['POST'],
    exposedHeaders: ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy'],
    maxAge: 600,
  };
  // Without a list no page but our own may read the answer.
  const managing: FastifyCorsOptions = {
    origin: dashboardOrigins.length > 0 && [...dashboardOrigins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    maxAge: 600,
  };
  await app.register(cors, {
    delegator: (request: FastifyRequest, done) => {
      done(null, ASKING.test(request.url.split('?', 1)[0] ?? '') ? asking : managing);
    },
  });
}
