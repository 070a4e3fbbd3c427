import { Table } from 'typeorm';
import { belongsTo, type Columns, indexes, nullable, ofKnowledgeBase, primary } from './columns.js';

const ofApiKey = [belongsTo('api_key_id', 'api_keys')];

export const apiKeyTables = ({ string, text, integer, instant, json }: Columns) => [
  new Table({
    name: 'api_keys',
    columns: [
      string('id', primary),
      string('kb_id', nullable),
      string('service_account_id', nullable),
      string('name'),
      string('description', nullable),
      string('environment'),
      string('prefix'),
      string('secret_hash'),
      string('fast_hash'),
      string('pepper_id'),
      string('state'),
      instant('created_at'),
      string('created_by'),
      instant('expires_at', nullable),
      instant('revoked_at', nullable),
      string('revoked_by', nullable),
      instant('deleted_at', nullable),
      instant('first_used_at', nullable),
      integer('rate_limit_per_minute', nullable),
      integer('rate_limit_per_end_user', nullable),
      json('budget', nullable),
      json('allowed_ips', nullable),
      text('scopes', { default: `'query,chat,feedback'` }),
      json('filter', nullable),
      json('principals', nullable),
      string('rotated_from', nullable),
      string('rotated_to', nullable),
      string('rotation_root'),
    ],
    foreignKeys: [...ofKnowledgeBase, belongsTo('service_account_id', 'service_accounts')],
    indices: [
      { columnNames: ['fast_hash'], isUnique: true },
      { columnNames: ['prefix'], isUnique: true },
      ...indexes(['kb_id'], ['service_account_id'], ['expires_at']),
    ],
  }),
  new Table({
    name: 'api_key_knowledge_bases',
    columns: [
      string('api_key_id', primary),
      string('kb_id', primary),
      integer('position'),
      text('scopes'),
      json('filter', nullable),
    ],
    foreignKeys: [...ofApiKey, ...ofKnowledgeBase],
    indices: indexes(['kb_id']),
  }),
  new Table({
    name: 'api_key_activity',
    columns: [
      string('api_key_id', primary),
      instant('last_used_at', nullable),
      string('last_ip', nullable),
      integer('refused_uses', { default: 0 }),
      instant('last_refused_at', nullable),
      string('last_refused_ip', nullable),
    ],
    foreignKeys: ofApiKey,
  }),
  new Table({
    name: 'trusted_issuers',
    columns: [
      string('id', primary),
      string('api_key_id'),
      string('issuer'),
      string('audience'),
      string('subject', nullable),
      json('claims', nullable),
    ],
    foreignKeys: ofApiKey,
    indices: [{ columnNames: ['api_key_id'], isUnique: true }, ...indexes(['issuer', 'audience'])],
  }),
  new Table({
    name: 'management_key_uses',
    columns: [
      string('api_key_id', primary),
      integer('hour', primary),
      string('ip', primary),
      integer('requests'),
    ],
    foreignKeys: ofApiKey,
    withoutRowid: true,
  }),
];
