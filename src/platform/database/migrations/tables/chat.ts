import { Table } from 'typeorm';
import { belongsTo, type Columns, indexes, nullable, ofKnowledgeBase, primary } from './columns.js';

const ofMessage = [belongsTo('message_id', 'messages')];

export const chatTables = ({ string, text, integer, bigint, boolean, instant, json }: Columns) => [
  new Table({
    name: 'conversations',
    columns: [
      string('id', primary),
      string('kb_id'),
      string('api_key_id'),
      string('environment'),
      string('end_user_id', nullable),
      json('kb_ids', nullable),
      instant('created_at'),
      instant('updated_at'),
    ],
    foreignKeys: ofKnowledgeBase,
    // For the lists by each filter, and for finding those to be purged.
    indices: indexes(
      ['kb_id'],
      ['kb_id', 'id'],
      ['kb_id', 'end_user_id', 'id'],
      ['kb_id', 'created_at'],
      ['kb_id', 'updated_at'],
    ),
  }),
  new Table({
    name: 'messages',
    columns: [
      string('id', primary),
      string('conversation_id'),
      string('role'),
      text('content'),
      string('status'),
      boolean('answered', nullable),
      json('sources'),
      json('related', nullable),
      json('told_document_ids', nullable),
      string('kind', nullable),
      boolean('grounded', nullable),
      string('finish_reason', nullable),
      string('model', nullable),
      integer('prompt_tokens', nullable),
      integer('completion_tokens', nullable),
      integer('latency_ms', nullable),
      string('api_key_id', nullable),
      string('environment', nullable),
      string('filter_hash', nullable),
      instant('created_at'),
    ],
    foreignKeys: [belongsTo('conversation_id', 'conversations')],
    // In order, for lists, and the first or last ones.
    indices: indexes(['conversation_id', 'id']),
  }),
  new Table({
    name: 'message_feedback',
    columns: [
      string('message_id', primary),
      string('kb_id'),
      string('conversation_id'),
      string('rating'),
      text('comment', nullable),
      instant('rated_at'),
    ],
    foreignKeys: ofMessage,
    indices: indexes(['kb_id', 'rating', 'conversation_id']),
  }),
  new Table({
    name: 'unanswered_questions',
    columns: [
      string('message_id', primary),
      string('kb_id'),
      string('conversation_id'),
      string('environment'),
      bigint('topic'),
      instant('asked_at'),
      instant('answered_at', nullable),
    ],
    foreignKeys: ofMessage,
    indices: indexes(
      ['kb_id', 'asked_at', 'environment', 'topic', 'message_id', 'answered_at'],
      ['kb_id', 'conversation_id'],
    ),
  }),
];
