import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { dump } from 'js-yaml';
import { serveStaticFile } from '../http/static-file.js';
import { describeApi, type Webhooks } from '../openapi/open-api.js';
import { serveSwaggerUi } from './swagger-ui.js';

/** Serves the contract at /openapi.json and /openapi.yaml, and Swagger UI at /docs. */
export function serveOpenApi(app: NestFastifyApplication, webhooks: Webhooks): void {
  const fastify = app.getHttpAdapter().getInstance();
  let described: OpenAPIObject | undefined;
  const document = () => (described ??= describeApi(app, webhooks));
  serveStaticFile(fastify, ['/openapi.json'], 'application/json; charset=utf-8', () =>
    JSON.stringify(document()),
  );
  serveStaticFile(fastify, ['/openapi.yaml'], 'application/yaml; charset=utf-8', () =>
    dump(document()),
  );
  serveSwaggerUi(fastify);
}
