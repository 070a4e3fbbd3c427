import type { Type } from '@nestjs/common';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { idSchema } from '../../platform/openapi/api-fields.js';
import type { Webhooks } from '../../platform/openapi/open-api.js';
import {
  ApiKeyBudgetEventDataDto,
  ApiKeyEventDataDto,
  ApiKeyExpiryEventDataDto,
  DocumentEventDataDto,
  RatingEventDataDto,
  SourceEventDataDto,
  TestEventDataDto,
  UnansweredEventDataDto,
} from './webhook-event.dto.js';
import { TEST_EVENT, type WebhookEvent } from './webhook-events.js';

const EVENTS: Record<WebhookEvent | typeof TEST_EVENT, readonly [summary: string, data: Type]> = {
  'document.ready': ['A document can be found', DocumentEventDataDto],
  'document.failed': ['A document cannot be indexed', DocumentEventDataDto],
  'api_key.created': ['An API key was created', ApiKeyEventDataDto],
  'api_key.rotated': ['An API key has a successor', ApiKeyEventDataDto],
  'api_key.revoked': ['An API key was revoked', ApiKeyEventDataDto],
  'api_key.deleted': ['An API key was deleted', ApiKeyEventDataDto],
  'api_key.expiring': ['An API key expires in seven days, or in one', ApiKeyExpiryEventDataDto],
  'api_key.reported_as_leaked': ['A leaked API key was reported and revoked', ApiKeyEventDataDto],
  'api_key.used_after_revocation': [
    'A revoked or deleted API key is still used; at most once an hour and key',
    ApiKeyEventDataDto,
  ],
  'message.unanswered': ['A question was not answered', UnansweredEventDataDto],
  'message.rated': ['An answer was rated', RatingEventDataDto],
  'source.failed': ['A run of a source failed, unlike the one before', SourceEventDataDto],
  'source.recovered': ['A source can be read again', SourceEventDataDto],
  'api_key.budget_reached': [
    'The soft limit of an API key’s budget is reached, or the whole; once each in a period',
    ApiKeyBudgetEventDataDto,
  ],
  'api_key.used_after_rotation': [
    'A rotated API key is still used in the second half of its overlap; at most once a day and key',
    ApiKeyEventDataDto,
  ],
  [TEST_EVENT]: ['A test was asked for; every webhook gets it', TestEventDataDto],
};

const HEADERS = [
  {
    name: 'webhook-id',
    description: 'The id of the delivery, the same in every attempt.',
    schema: idSchema('whd'),
  },
  {
    name: 'webhook-timestamp',
    description: 'The time of the attempt, in seconds since 1970.',
    schema: { type: 'string', pattern: '^\\d+$', example: '1763631000' },
  },
  {
    name: 'webhook-signature',
    description:
      'HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}`, as Standard Webhooks has it: one signature, and for a day after a rotation of the secret two, with a space between.',
    schema: {
      type: 'string',
      pattern: '^v1,[0-9A-Za-z+/]{43}=( v1,[0-9A-Za-z+/]{43}=)?$',
      example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    },
  },
];

const RESPONSES = {
  WebhookAccepted: { description: 'Accepted. The response must come within ten seconds.' },
  WebhookNotAccepted: {
    description:
      'Not accepted: the delivery is retried later; after a 410 the webhook is deactivated, and nothing more is sent.',
  },
};

/** Describes the deliveries of webhooks for the OpenAPI document. */
export const describeWebhooks = (): Webhooks => ({
  responses: RESPONSES,
  parameters: Object.fromEntries(
    HEADERS.map((header) => [header.name, { ...header, in: 'header', required: true }]),
  ),
  events: Object.fromEntries(
    Object.entries(EVENTS).map(([event, [summary, data]]) => [
      event,
      {
        post: {
          summary,
          operationId: toOperationId(event),
          tags: ['Events'],
          // openapi-generator writes webhook clients that do not compile, but leaves out internal operations.
          ...{ 'x-internal': true },
          security: [],
          parameters: HEADERS.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: bodySchema(event, data) } },
          },
          responses: {
            '2XX': { $ref: '#/components/responses/WebhookAccepted' },
            default: { $ref: '#/components/responses/WebhookNotAccepted' },
          },
        },
      },
    ]),
  ),
});

/** Adds the schemas of the events to the OpenAPI document. */
export const ApiWebhookModels = () =>
  ApiExtraModels(...new Set(Object.values(EVENTS).map(([, data]) => data)));

const bodySchema = (event: string, data: Type) => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { type: 'string', enum: [event] },
    timestamp: {
      type: 'string',
      format: 'date-time',
      description: 'When the event occurred.',
      example: '2026-11-20T09:30:00.000Z',
    },
    data: { $ref: getSchemaPath(data) },
  },
});

/** @returns an id such as `onApiKeyCreated` */
const toOperationId = (event: string) =>
  `on${event.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
