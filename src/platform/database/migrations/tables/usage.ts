import { Table } from 'typeorm';
import { type Columns, ofKnowledgeBase, primary } from './columns.js';

export const usageTables = ({ string, text, integer, bigint }: Columns) => [
  new Table({
    name: 'usage_counts',
    columns: [
      string('kb_id', primary),
      string('period', primary),
      bigint('at_ms', primary),
      string('api_key_id', primary),
      string('id', primary),
      string('environment'),
      integer('queries'),
      integer('chats'),
      integer('conversations'),
      integer('answered'),
      integer('unanswered'),
      integer('small_talk'),
      integer('up'),
      integer('down'),
      bigint('prompt_tokens'),
      bigint('completion_tokens'),
      integer('refused'),
      integer('uses'),
      text('latencies'),
    ],
    foreignKeys: ofKnowledgeBase,
    indices: [{ columnNames: ['api_key_id', 'at_ms'], where: `period = 'quarter'` }],
    withoutRowid: true,
  }),
  new Table({
    name: 'usage_members',
    columns: [
      string('kb_id', primary),
      string('kind', primary),
      integer('quarter', primary),
      string('environment', primary),
      string('api_key_id', primary),
      string('member', primary),
      integer('requests'),
      bigint('prompt_tokens', { default: 0 }),
      bigint('completion_tokens', { default: 0 }),
      bigint('cost', { default: 0 }),
    ],
    foreignKeys: ofKnowledgeBase,
    indices: [
      { columnNames: ['kb_id', 'member', 'quarter'], where: `kind = 'end_user'` },
      { columnNames: ['api_key_id', 'quarter'], where: `kind = 'address'` },
    ],
    withoutRowid: true,
  }),
];
