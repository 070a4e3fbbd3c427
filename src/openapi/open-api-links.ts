import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './open-api-operations.js';

/** From an answer to the next request: what it is called there, and where in the answer it stands. */
interface Link {
  readonly from: string;
  /** How the status of the answer begins. */
  readonly on: string;
  readonly to: string;
  readonly description: string;
  readonly parameters?: Record<string, string>;
  readonly body?: Record<string, string>;
}

const QUESTION = 'How long may customers return an order?';

/** From each of some answers to each of some requests, by one id. */
const lead = (from: string[], field: string, to: string[], parameter: string, on = '2'): Link[] =>
  from.flatMap((source) =>
    to.map((target) => ({
      ...{ from: source, on, to: target },
      description: field.endsWith(parameter)
        ? `It takes the \`${parameter}\`.`
        : `The \`${field.split('/').at(-1)}\` is its \`${parameter}\`.`,
      parameters: { [parameter]: `$response.body#/${field}` },
    })),
  );

const ISSUES = ['createApiKey', 'rotateApiKey'];

/** The way that people walk, told to programs and to the readers of the document. */
const LINKS: Link[] = [
  ...lead(
    ['createKnowledgeBase'],
    'id',
    ['createDocument', 'createApiKey', 'getSettings', 'listMembers'],
    'kb_id',
  ),
  ...lead(['listKnowledgeBases'], 'data/0/id', ['getKnowledgeBase'], 'kb_id'),

  ...lead(
    ['createDocument'],
    'id',
    ['getDocument', 'listDocumentChunks', 'deleteDocument'],
    'document_id',
  ),
  ...lead(['createDocument'], 'existing_document_id', ['getDocument'], 'document_id', '409'),
  ...lead(['listDocuments'], 'data/0/id', ['getDocument', 'listDocumentChunks'], 'document_id'),
  ...lead(
    ['getDocument', 'updateDocument', 'reindexDocument'],
    'kb_id',
    ['listDocuments'],
    'kb_id',
  ),

  ...ISSUES.flatMap((from) =>
    ['chat', 'query'].map((to) => ({
      ...{ from, on: '2', to },
      description: 'The secret is its `api_key`.',
      body: { api_key: '$response.body#/api_key', message: QUESTION },
    })),
  ),
  ...lead(ISSUES, 'id', ['getApiKeyUsage', 'revokeApiKey'], 'key_id'),
  ...lead(['listApiKeys'], 'data/0/id', ['getApiKeyUsage', 'rotateApiKey'], 'key_id'),
  ...lead(['getApiKey', 'updateApiKey', 'rotateApiKey'], 'kb_id', ['listApiKeys'], 'kb_id'),
  ...lead(['getApiKeyUsage'], 'successor_id', ['getApiKey'], 'key_id'),

  ...lead(['query'], 'results/0/document_id', ['getDocument'], 'document_id'),
  ...lead(['chat'], 'sources/0/document_id', ['getDocument'], 'document_id'),
  {
    ...{ from: 'chat', on: '2', to: 'chat' },
    description: 'The `conversation_id` goes on with the conversation.',
    body: {
      api_key: '$request.body#/api_key',
      conversation_id: '$response.body#/conversation_id',
      message: 'And how are refunds paid?',
    },
  },
  {
    ...{ from: 'chat', on: '2', to: 'giveFeedback' },
    description: 'The `message_id` names the answer that is rated.',
    parameters: { message_id: '$response.body#/message_id' },
    body: { api_key: '$request.body#/api_key', rating: 'up' },
  },
  ...lead(['chat'], 'conversation_id', ['getConversation', 'listMessages'], 'conversation_id'),

  ...lead(
    ['listConversations'],
    'data/0/id',
    ['listMessages', 'deleteConversation'],
    'conversation_id',
  ),
  ...lead(['getConversation'], 'kb_id', ['listConversations'], 'kb_id'),
  // The first is a question.
  ...lead(['listMessages'], 'data/1/id', ['giveFeedback'], 'message_id'),
  ...lead(['listMessages'], 'data/1/sources/0/document_id', ['getDocument'], 'document_id'),

  ...lead(['getAnalytics'], 'data/0/api_key_id', ['getApiKey'], 'key_id'),
  ...lead(['listTopDocuments'], 'data/0/document_id', ['getDocument'], 'document_id'),
];

/** Puts the links on the answers that they begin at. */
export function linkOperations(document: OpenAPIObject): void {
  const operations = new Map(
    operationsOf(document).map((operation) => [operation.operationId, operation]),
  );
  for (const { from, on, to, description, parameters, body } of LINKS) {
    const source = operations.get(from);
    if (!source || !operations.has(to)) throw new Error(`No operation for the link ${from}-${to}`);
    for (const [status, response] of Object.entries(source.responses)) {
      if (!status.startsWith(on) || !response || '$ref' in response) continue;
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
