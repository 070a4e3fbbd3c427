import type { JsonSchemaType } from '@modelcontextprotocol/server';
import { MAX_KNOWLEDGE_BASES } from '../../api-keys/knowledge-base-ids.js';

// The responses of /query and /chat as JSON Schema; src/plugins/mcp/mcp.e2e.ts compares them with openapi.json.

const TEXT = { type: 'string' } as const;
const TEXT_OR_NULL = { type: ['string', 'null'] } as const;

const TEXTS = { type: 'array', items: TEXT } as const;

const TABLE = {
  type: 'object',
  properties: { columns: TEXTS, rows: { type: 'array', items: TEXTS } },
  required: ['columns', 'rows'],
} as const;

const KB_IDS = {
  type: 'array',
  items: TEXT,
  minItems: 1,
  maxItems: MAX_KNOWLEDGE_BASES,
  description: 'Only these of the knowledge bases that the key opens',
} as const;

const FOUND = {
  kb_id: TEXT,
  chunk_id: TEXT,
  document_id: TEXT,
  document_title: TEXT,
  external_id: TEXT_OR_NULL,
  source_url: TEXT_OR_NULL,
  page: { type: ['integer', 'null'] },
  heading: TEXT_OR_NULL,
  locator: { type: ['object', 'null'] },
  document_version: { type: ['integer', 'null'] },
  date: { type: ['object', 'null'] },
  updated_at: TEXT_OR_NULL,
  valid_until: TEXT_OR_NULL,
  score: { type: 'number' },
  original_url: TEXT,
  expires_at: TEXT,
} as const;

/** As agents of other services expect them. */
const LISTED = {
  id: { ...TEXT, description: 'Of the passage, for `fetch`' },
  title: TEXT,
  url: { ...TEXT, description: 'Of the original, else of the source; empty for neither' },
} as const;

const SEARCH_FIELDS = {
  query: { ...TEXT, minLength: 1, maxLength: 8000, description: 'What the passages speak of' },
  top_k: { type: 'integer', minimum: 1, maximum: 50, description: 'How many passages at most' },
  filter: {
    type: 'object',
    description:
      'Only documents whose metadata meets it: {type: eq|ne|gt|gte|lt|lte|in|nin, key, value}, or {type: and|or, filters}',
  },
  tables: { type: 'boolean', description: 'Whether to give the rows of tables as data too' },
} as const;

const QUESTION = {
  ...TEXT,
  minLength: 1,
  maxLength: 8000,
  description: 'In any language',
} as const;

export const SEARCH_INPUT: JsonSchemaType = {
  type: 'object',
  properties: { ...SEARCH_FIELDS, kb_ids: KB_IDS },
  required: ['query'],
  additionalProperties: false,
};

export const SEARCH_OUTPUT: JsonSchemaType = {
  type: 'object',
  properties: {
    query_id: TEXT,
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ...LISTED,
          ...FOUND,
          text: TEXT,
          metadata: { type: 'object' },
          table: TABLE,
        },
        required: [
          'id',
          'title',
          'url',
          'kb_id',
          'chunk_id',
          'document_id',
          'document_title',
          'text',
          'score',
        ],
      },
    },
    partial: { type: 'boolean' },
    latency_ms: { type: 'integer' },
  },
  required: ['query_id', 'results', 'latency_ms'],
};

export const FETCH_INPUT: JsonSchemaType = {
  type: 'object',
  properties: {
    id: { ...TEXT, minLength: 1, maxLength: 64, description: 'Of a passage that was found' },
  },
  required: ['id'],
  additionalProperties: false,
};

export const FETCH_OUTPUT: JsonSchemaType = {
  type: 'object',
  properties: { ...LISTED, text: TEXT, metadata: { type: 'object' } },
  required: ['id', 'title', 'text', 'url', 'metadata'],
};

export const ASK_INPUT: JsonSchemaType = {
  type: 'object',
  properties: {
    question: QUESTION,
    conversation_id: { ...TEXT, description: 'Of an earlier answer, to go on with it' },
    kb_ids: KB_IDS,
  },
  required: ['question'],
  additionalProperties: false,
};

const KB_ID = {
  ...TEXT,
  description: 'One that list_knowledge_bases gives; needed where it gives several',
} as const;

export const PERSON_SEARCH_INPUT: JsonSchemaType = {
  type: 'object',
  properties: { ...SEARCH_FIELDS, kb_id: KB_ID },
  required: ['query'],
  additionalProperties: false,
};

export const PERSON_ASK_INPUT: JsonSchemaType = {
  type: 'object',
  properties: { question: QUESTION, kb_id: KB_ID },
  required: ['question'],
  additionalProperties: false,
};

export const LIST_INPUT: JsonSchemaType = {
  type: 'object',
  properties: { cursor: { ...TEXT, description: 'The next_cursor of an answer before' } },
  additionalProperties: false,
};

export const LIST_OUTPUT: JsonSchemaType = {
  type: 'object',
  properties: {
    knowledge_bases: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ...{ id: TEXT, name: TEXT, description: TEXT_OR_NULL },
          document_count: { type: 'integer' },
        },
        required: ['id', 'name', 'description', 'document_count'],
      },
    },
    next_cursor: TEXT_OR_NULL,
  },
  required: ['knowledge_bases', 'next_cursor'],
};

const SOURCE: JsonSchemaType = {
  type: 'object',
  properties: {
    index: { type: 'integer' },
    ...FOUND,
    snippet: TEXT,
    quote: {
      type: 'object',
      properties: { text: TEXT, start: { type: 'integer' }, end: { type: 'integer' } },
      required: ['text', 'start', 'end'],
    },
    review_at: TEXT,
    cited: { type: 'boolean' },
  },
  required: ['index', 'kb_id', 'chunk_id', 'document_id', 'document_title', 'snippet', 'score'],
};

const ANSWER_FIELDS = {
  answer: TEXT,
  answered: { type: 'boolean' },
  answer_value: TEXT,
  kind: TEXT,
  total: { type: 'integer' },
  curated: { type: 'boolean' },
  grounded: { type: 'boolean' },
  confidence: { type: 'number' },
  conflict: { type: 'boolean' },
  finish_reason: TEXT,
  sources: { type: 'array', items: SOURCE },
  related: { type: 'array', items: SOURCE },
  model: TEXT,
  usage: { type: ['object', 'null'] },
  partial: { type: 'boolean' },
  latency_ms: { type: 'integer' },
};

export const ASK_OUTPUT: JsonSchemaType = {
  type: 'object',
  properties: { conversation_id: TEXT, message_id: TEXT, ...ANSWER_FIELDS },
  required: ['conversation_id', 'message_id', 'answer', 'answered', 'sources', 'model'],
};

/** The schema of an answer that is not stored. */
export const PERSON_ASK_OUTPUT: JsonSchemaType = {
  type: 'object',
  properties: { conversation_id: { type: 'null' }, message_id: { type: 'null' }, ...ANSWER_FIELDS },
  required: ['answer', 'answered', 'sources', 'model'],
};
