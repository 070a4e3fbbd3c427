import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ProblemDto } from './problem.dto.js';
import { API_KEY_SECURITY, DASHBOARD_SECURITY, MANAGEMENT_KEY_SECURITY } from './operation.js';
import { listOperations } from './list-operations.js';
import { describeResponses } from './responses.js';
import { describeScopes } from './scopes.js';
import { nameEnumValues } from './enum-names.js';
import { moveExamples } from './examples.js';
import { shareParameters } from './parameters.js';
import { describeBodies, normalizeSchemas } from './schemas.js';
import { nameSchemas, shareSchemas } from './shared-schemas.js';
import { rewriteNullableSchemas } from './nullable-schemas.js';
import { TAGS } from './tags.js';

const DESCRIPTION = `
Documents go in; questions are answered by quoting them, with their sources. Every program that asks has an API key
of its own, which can be revoked at any moment and then stops at once.

**Two kinds of callers, two credentials, never mixed**

| Who | Where | Credential |
|---|---|---|
| The **dashboard** manages knowledge bases, documents and API keys | every operation with a padlock | the header \`X-Idp-User-Id\`: press **Authorize** and enter a user id, such as \`alice\` |
| A **partner’s backend** asks questions, a **pipeline** keeps documents up to date, a **page** asks with a client token | *Ask*, *Client tokens*, *Ingest*, *Other protocols* | \`Authorization: Bearer …\`, or the field \`api_key\` of the JSON body |

**Try it in five steps**

1. [Authorize](/docs#authorize) as \`alice\`.
2. [Create a knowledge base](/docs#/Knowledge%20bases/createKnowledgeBase). Its \`id\` is filled in from here on.
3. [Add a document](/docs#/Documents/createDocument) to it.
4. [Create an API key](/docs#/API%20keys/createApiKey). Its secret, \`api_key\`, is shown this once.
5. [Ask a question](/docs#/Ask/chat) with it. Then [revoke it](/docs#/API%20keys/revokeApiKey), ask again, and see it refused.

**Errors** are problem details (RFC 9457, \`application/problem+json\`): switch on \`code\`, which never changes, and
quote \`request_id\` when you ask for help. [What each code means, and what to do about it](/docs/guide/errors).

<details>
<summary><b>Where refusals and headers stand</b></summary>

What all operations with the same credential may answer stands once, in \`components.responses\`; so does the header
\`X-Request-Id\`, which every answer has. A method that a path does not have answers 405 on every path, and stands under
no operation. Each success of an operation
that may answer \`rate_limited\` has the headers \`RateLimit-Policy\`, the key’s or the address’s limit: requests
(\`q\`) in a window of seconds (\`w\`), such as \`"per-key";q=6000;w=60\`; and \`RateLimit\`, what is left of it
(\`r\`) and the seconds until it begins anew (\`t\`), such as \`"per-key";r=5999;t=60\`.

</details>
`;

/** The webhooks that the service sends. */
export interface Webhooks {
  /** Webhooks by the name of the event. */
  readonly events: NonNullable<OpenAPIObject['webhooks']>;
  /** Parameters and responses common to all events. */
  readonly parameters: NonNullable<NonNullable<OpenAPIObject['components']>['parameters']>;
  readonly responses: NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;
}

/** Generates the OpenAPI document from controllers and DTOs. */
export function describeApi(app: NestFastifyApplication, webhooks: Webhooks): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
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
        description:
          'The dashboard user to act for, for example `alice`. An API key does not go here.',
      },
      DASHBOARD_SECURITY,
    )
    .addSecurity(API_KEY_SECURITY, {
      type: 'http',
      scheme: 'bearer',
      description:
        'An API key or a client token. Under *Ask* and *Client tokens* it may be `api_key` in the body instead; in both places it must be the same.',
    });
  builder.addSecurity(MANAGEMENT_KEY_SECURITY, {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key of a service account, `rag_admin_…`, instead of `X-Idp-User-Id`: it needs the scope that stands beside the operation. It is refused as API keys are: `api_key_revoked`, `api_key_expired`, `ip_not_allowed`.',
  });
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_controller, method) => method,
    extraModels: [ProblemDto],
  });
  // An operation without security requirements is public.
  for (const { operation } of listOperations(document)) operation.security ??= [];
  normalizeSchemas(document);
  describeBodies(document);
  describeScopes(document);
  describeResponses(document);
  orderPaths(document);
  document.webhooks = webhooks.events;
  document.components = {
    ...document.components,
    parameters: webhooks.parameters,
    responses: { ...document.components?.responses, ...webhooks.responses },
  };
  moveExamples(document);
  nameSchemas(document);
  rewriteNullableSchemas(document);
  shareParameters(document);
  shareSchemas(document);
  nameEnumValues(document);
  return document;
}

/** Sorts paths by tag; within a tag, paths without an id come first. */
function orderPaths(document: OpenAPIObject): void {
  const tags = TAGS.map(([name]): string => name);
  const rank = ([path, { get, post, put, patch, delete: remove }]: [
    string,
    OpenAPIObject['paths'][string],
  ]) => {
    const [tag = ''] = (get ?? post ?? put ?? patch ?? remove)?.tags ?? [];
    return tags.indexOf(tag) * 2 + Number(path.includes('{'));
  };
  document.paths = Object.fromEntries(
    Object.entries(document.paths).sort((a, b) => rank(a) - rank(b)),
  );
}
