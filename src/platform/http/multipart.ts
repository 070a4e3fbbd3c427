import multipart from '@fastify/multipart';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AddRouteConfig } from './nest-metadata.js';
import { Problem } from '../problems/problem.js';

/** Marks a route that reads multipart bodies in an interceptor. */
export const AcceptsMultipart = () => AddRouteConfig({ multipart: true });

/** Passes multipart bodies, unread, to the routes that accept them; elsewhere they are answered 415. */
export async function acceptMultipart(app: NestFastifyApplication): Promise<void> {
  await app.register(multipart);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('preValidation', (request, _reply, done) => {
      const { config } = request.routeOptions;
      const accepted = 'multipart' in config && config.multipart === true;
      done(request.isMultipart() && !accepted ? new Problem('unsupported_media_type') : undefined);
    });
}
