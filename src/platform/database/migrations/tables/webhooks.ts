import { Table } from 'typeorm';
import { belongsTo, type Columns, indexes, nullable, ofKnowledgeBase, primary } from './columns.js';

export const webhookTables = ({ string, text, integer, boolean, instant }: Columns) => [
  new Table({
    name: 'webhooks',
    columns: [
      string('id', primary),
      string('kb_id'),
      string('url'),
      text('events'),
      string('description', nullable),
      string('state'),
      string('deactivation_reason', nullable),
      instant('deactivated_at', nullable),
      string('secret'),
      instant('secret_issued_at'),
      string('previous_secret', nullable),
      instant('previous_secret_until', nullable),
      string('pepper_id'),
      boolean('failing'),
      string('created_by'),
      instant('created_at'),
      instant('updated_at'),
    ],
    foreignKeys: ofKnowledgeBase,
    indices: indexes(['kb_id'], ['state']),
  }),
  // The outbox.
  new Table({
    name: 'webhook_deliveries',
    columns: [
      string('id', primary),
      string('webhook_id'),
      string('event'),
      text('body'),
      string('state'),
      instant('due_at', nullable),
      integer('attempts'),
      integer('lease'),
      instant('last_attempt_at', nullable),
      integer('response_status', nullable),
      string('error', nullable),
      instant('created_at'),
    ],
    foreignKeys: [belongsTo('webhook_id', 'webhooks')],
    indices: indexes(['due_at'], ['webhook_id', 'state', 'id'], ['webhook_id', 'id']),
  }),
  // What was announced of events that are not announced each time.
  new Table({
    name: 'webhook_notices',
    columns: [string('subject', primary), instant('announced_at', nullable), instant('told_at')],
    indices: indexes(['told_at']),
  }),
];
