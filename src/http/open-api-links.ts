import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './open-api-operations.js';

/** From an answer to the next request: what it is called there, and where in the answer it stands. */
interface Link {
  readonly from: string;
  readonly to: string;
  readonly description: string;
  readonly parameters?: Record<string, string>;
  readonly body?: Record<string, string>;
}

const ID = '$response.body#/id';
const QUESTION = 'How long may customers return an order?';

/** The way that people walk, told to programs and to the readers of the document. */
const LINKS: Link[] = [
  ...['createDocument', 'createApiKey', 'getSettings', 'listMembers'].map((to) => ({
    from: 'createKnowledgeBase',
    to,
    description: 'The `id` is its `kb_id`.',
    parameters: { kb_id: ID },
  })),
  ...['getDocument', 'listDocumentChunks', 'deleteDocument'].map((to) => ({
    from: 'createDocument',
    to,
    description: 'The `id` is its `document_id`.',
    parameters: { document_id: ID },
  })),
  ...['createApiKey', 'rotateApiKey'].flatMap((from) => [
    ...['chat', 'query'].map((to) => ({
      from,
      to,
      description: 'The secret is its `api_key`.',
      body: { api_key: '$response.body#/api_key', message: QUESTION },
    })),
    ...['getApiKeyUsage', 'revokeApiKey'].map((to) => ({
      from,
      to,
      description: 'The `id` is its `key_id`.',
      parameters: { key_id: ID },
    })),
  ]),
  {
    from: 'chat',
    to: 'chat',
    description: 'The `conversation_id` goes on with the conversation.',
    body: {
      api_key: '$request.body#/api_key',
      conversation_id: '$response.body#/conversation_id',
      message: 'And how are refunds paid?',
    },
  },
  ...['getConversation', 'listMessages'].map((to) => ({
    from: 'chat',
    to,
    description: 'The `conversation_id` of the answer, for the dashboard.',
    parameters: { conversation_id: '$response.body#/conversation_id' },
  })),
];

/** Puts the links on every successful answer of the operations that they begin at. */
export function linkOperations(document: OpenAPIObject): void {
  const operations = new Map(
    operationsOf(document).map((operation) => [operation.operationId, operation]),
  );
  for (const { from, to, description, parameters, body } of LINKS) {
    const source = operations.get(from);
    if (!source || !operations.has(to)) throw new Error(`No operation for the link ${from}-${to}`);
    for (const [status, response] of Object.entries(source.responses)) {
      if (!status.startsWith('2') || !response || '$ref' in response) continue;
      response.links = {
        ...response.links,
        [to]: {
          operationId: to,
          description,
          ...(parameters && { parameters }),
          ...(body && { requestBody: body }),
        },
      };
    }
  }
}
