import { Table } from 'typeorm';
import { type Columns, indexes, nullable, ofKnowledgeBase, primary } from './columns.js';

export const curatedAnswerTables = ({ string, text, instant, json, binary }: Columns) => [
  new Table({
    name: 'curated_answers',
    columns: [
      string('id', primary),
      string('kb_id'),
      json('questions'),
      text('answer'),
      json('source_ids'),
      string('access_set_id', nullable),
      instant('review_at', nullable),
      string('owner'),
      instant('created_at'),
      instant('updated_at'),
      instant('written_at'),
      string('model', nullable),
      binary('vectors', nullable),
    ],
    foreignKeys: ofKnowledgeBase,
    indices: indexes(['kb_id', 'id'], ['access_set_id'], ['model']),
  }),
];
