import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { dump } from 'js-yaml';
import type { DashboardAuthConfig } from '../config/dashboard-auth-config.js';
import { serveStaticFile } from '../http/static-file.js';
import { describeApi, type Webhooks } from '../openapi/open-api.js';
import { toOpenApi30 } from '../openapi/open-api-3-0.js';
import { serveSwaggerUi } from './swagger-ui.js';
import { describeSignIn, swaggerUiClient } from './swagger-ui-sign-in.js';

/**
 * Serves the OpenAPI document at /openapi.json, /openapi.yaml and /openapi-3.0.json, and Swagger UI at
 * /docs.
 */
export function serveOpenApi(
  app: NestFastifyApplication,
  webhooks: Webhooks,
  auth: DashboardAuthConfig,
): void {
  const fastify = app.getHttpAdapter().getInstance();
  let described: OpenAPIObject | undefined;
  const client = swaggerUiClient(auth);
  const document = () => {
    if (described) return described;
    described = describeApi(app, webhooks);
    if (client) describeSignIn(described, client);
    return described;
  };
  serveStaticFile(fastify, ['/openapi.json'], 'application/json; charset=utf-8', () =>
    JSON.stringify(document()),
  );
  serveStaticFile(fastify, ['/openapi-3.0.json'], 'application/json; charset=utf-8', () =>
    JSON.stringify(toOpenApi30(document())),
  );
  serveStaticFile(fastify, ['/openapi.yaml'], 'application/yaml; charset=utf-8', () =>
    dump(document()),
  );
  serveSwaggerUi(fastify, client);
}
