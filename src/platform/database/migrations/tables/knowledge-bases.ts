import { Table } from 'typeorm';
import { belongsTo, type Columns, indexes, nullable, ofKnowledgeBase, primary } from './columns.js';

export const knowledgeBaseTables = ({
  string,
  integer,
  bigint,
  boolean,
  instant,
  json,
}: Columns) => [
  new Table({
    name: 'knowledge_bases',
    columns: [
      string('id', primary),
      string('name'),
      string('description', nullable),
      string('state'),
      string('created_by', nullable),
      integer('access_version', { default: 0 }),
      integer('document_rules_version', { default: 0 }),
      instant('created_at'),
      instant('updated_at'),
    ],
    // By the first, authenticating reads the state of a knowledge base from the index alone.
    indices: indexes(['id', 'state'], ['created_by', 'state']),
  }),
  new Table({
    name: 'knowledge_base_members',
    columns: [
      string('id', primary),
      string('kb_id'),
      string('user_id'),
      string('role'),
      instant('created_at'),
    ],
    foreignKeys: ofKnowledgeBase,
    indices: [{ columnNames: ['kb_id', 'user_id'], isUnique: true }, ...indexes(['user_id'])],
  }),
  new Table({
    name: 'service_accounts',
    columns: [
      string('id', primary),
      string('name'),
      boolean('creates_knowledge_bases'),
      string('created_by'),
      instant('created_at'),
    ],
    indices: indexes(['created_by']),
  }),
  new Table({
    name: 'knowledge_base_settings',
    columns: [string('kb_id', primary), json('settings')],
    foreignKeys: ofKnowledgeBase,
  }),
  new Table({
    name: 'access_sets',
    columns: [
      string('id', primary),
      string('kb_id'),
      string('name', nullable),
      string('hash', nullable),
      json('rule'),
      instant('created_at'),
      instant('updated_at'),
    ],
    foreignKeys: ofKnowledgeBase,
    indices: [...indexes(['kb_id', 'id']), { columnNames: ['kb_id', 'hash'], isUnique: true }],
  }),
  new Table({
    name: 'access_entries',
    columns: [
      string('set_id', primary),
      string('effect', primary),
      string('principal', primary),
      string('kb_id'),
    ],
    foreignKeys: [belongsTo('set_id', 'access_sets')],
    indices: indexes(['kb_id', 'principal']),
  }),
  new Table({
    name: 'daily_message_counts',
    columns: [string('kb_id', primary), string('day', primary), integer('messages')],
    foreignKeys: ofKnowledgeBase,
  }),
  // Without a foreign key: events outlive their knowledge base, and its former owners read them.
  new Table({
    name: 'audit_events',
    columns: [
      string('id', primary),
      string('kb_id'),
      string('actor'),
      string('action'),
      string('target_id'),
      instant('created_at'),
      string('request_id'),
      json('details'),
    ],
    indices: indexes(['kb_id', 'id'], ['kb_id', 'actor', 'id'], ['kb_id', 'action', 'id']),
  }),
  new Table({
    name: 'former_owners',
    columns: [string('user_id', primary), string('kb_id', primary), instant('deleted_at')],
    indices: indexes(['deleted_at']),
  }),
  new Table({
    name: 'directory_users',
    columns: [
      string('id', primary),
      string('service_account_id'),
      string('user_name'),
      string('external_id', nullable),
      string('user_id'),
      boolean('active'),
      json('profile'),
      instant('created_at'),
      instant('updated_at'),
      instant('removed_at', nullable),
    ],
    foreignKeys: [belongsTo('service_account_id', 'service_accounts')],
    indices: [
      { columnNames: ['service_account_id', 'user_name'], isUnique: true },
      ...indexes(['user_id']),
    ],
  }),
  new Table({
    name: 'directory_groups',
    columns: [
      string('id', primary),
      string('service_account_id'),
      string('display_name'),
      string('principal'),
      string('external_id', nullable),
      instant('created_at'),
      instant('updated_at'),
    ],
    foreignKeys: [belongsTo('service_account_id', 'service_accounts')],
    indices: [{ columnNames: ['service_account_id', 'principal'], isUnique: true }],
  }),
  new Table({
    name: 'directory_memberships',
    columns: [string('group_id', primary), string('user_id', primary)],
    foreignKeys: [
      belongsTo('group_id', 'directory_groups'),
      belongsTo('user_id', 'directory_users'),
    ],
    indices: indexes(['user_id']),
  }),
  new Table({
    name: 'user_turns',
    columns: [
      string('queue', primary),
      string('user_id', primary),
      bigint('turn'),
      string('last_kb_id'),
    ],
  }),
];
