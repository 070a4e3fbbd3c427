import { Table } from 'typeorm';
import { belongsTo, type Columns, indexes, nullable, ofKnowledgeBase, primary } from './columns.js';

export const evaluationTables = ({
  string,
  text,
  integer,
  float,
  boolean,
  instant,
  json,
}: Columns) => [
  new Table({
    name: 'evaluations',
    columns: [
      string('id', primary),
      string('kb_id'),
      string('user_id'),
      string('name', nullable),
      string('status'),
      json('settings'),
      integer('question_count'),
      integer('done_count'),
      instant('due_at', nullable),
      integer('lease', { default: 0 }),
      json('figures', nullable),
      string('error_code', nullable),
      string('created_by'),
      instant('created_at'),
      instant('finished_at', nullable),
    ],
    foreignKeys: ofKnowledgeBase,
    indices: indexes(['kb_id', 'id'], ['status', 'user_id', 'kb_id', 'due_at']),
  }),
  new Table({
    name: 'evaluation_questions',
    columns: [
      string('evaluation_id', primary),
      integer('position', primary),
      text('question'),
      json('history'),
      json('external_ids'),
      json('answer_contains'),
      json('answer_contains_all'),
      boolean('answerable'),
      integer('rank', nullable),
      float('ndcg', nullable),
      boolean('answered', nullable),
      boolean('is_right', nullable),
      integer('latency_ms', nullable),
    ],
    foreignKeys: [belongsTo('evaluation_id', 'evaluations')],
  }),
];
