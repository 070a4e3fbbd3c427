import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../config/config.js';

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
  // Without a list no page but our own may read an answer.
  if (dashboardOrigins.length > 0) {
    await app.register(cors, {
      origin: [...dashboardOrigins],
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      maxAge: 600,
    });
  }
}
