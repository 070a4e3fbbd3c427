import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

const DESCRIPTION = `
A self-hosted knowledge-base service. Two kinds of callers, two credentials, never mixed:

| Who | Where | Credential |
|---|---|---|
| The **dashboard** manages knowledge bases, documents and API keys | every operation with a padlock | the header \`X-Idp-User-Id\`: press **Authorize** and enter a user id, such as \`alice\` |
| A **partner's backend** asks questions | *Ask*: \`/query\`, \`/chat\` | the field \`api_key\` of the JSON body; no header |

**Try it in five steps:** authorize as \`alice\`; create a knowledge base; add a document to it; create an API key
and copy the secret, which is shown this once; ask with it in *Ask*.

Errors are problem details (RFC 9457): switch on \`code\`.
`;

const TAGS = [
  ['Knowledge bases', 'Where documents live, and who may touch them.'],
  [
    'Documents',
    'What is known. Adding one answers at once; it is findable when its status is `ready`.',
  ],
  [
    'API keys',
    'Credentials for partners’ backends: shown once, listed by prefix, revoked at once.',
  ],
  ['Ask', 'For partners’ backends. The credential is `api_key` in the body.'],
  ['Conversations', 'What was asked, what was answered, and from which sources.'],
  ['Health', 'For load balancers and orchestrators.'],
] as const;

/** The security scheme of every operation behind DashboardAuthGuard. */
export const DASHBOARD_SECURITY = 'dashboard-user';

/** Serves /openapi.json and Swagger UI at /docs. */
export function serveOpenApi(app: NestFastifyApplication): void {
  const builder = new DocumentBuilder()
    .setTitle('Latchkey')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'X-Idp-User-Id',
        description: 'The dashboard user, for example `alice`.',
      },
      DASHBOARD_SECURITY,
    );
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
  });
  describeBoundaries(document);
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Latchkey API',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true },
  });
}

/** What holds for every operation: an unknown body field is refused, and no padlock means open to all. */
function describeBoundaries({ paths, components }: OpenAPIObject): void {
  for (const operation of Object.values(paths).flatMap(
    ({ get, post, put, patch, delete: remove }) =>
      [get, post, put, patch, remove].filter((one) => one !== undefined),
  )) {
    operation.security ??= [];
    if (!operation.requestBody || !('content' in operation.requestBody)) continue;
    for (const { schema } of Object.values(operation.requestBody.content)) {
      const name = schema && '$ref' in schema ? schema.$ref.split('/').at(-1) : undefined;
      const body = name === undefined ? undefined : components?.schemas?.[name];
      if (body && !('$ref' in body)) body.additionalProperties = false;
    }
  }
}
