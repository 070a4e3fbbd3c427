import { Table } from 'typeorm';
import { belongsTo, type Columns, indexes, nullable, ofKnowledgeBase, primary } from './columns.js';

const ofDocument = [belongsTo('document_id', 'documents')];

export const documentTables = ({
  string,
  text,
  integer,
  bigint,
  instant,
  json,
  binary,
  serial,
}: Columns) => [
  new Table({
    name: 'documents',
    columns: [
      string('id', primary),
      string('kb_id'),
      string('user_id', { default: `''` }),
      string('title'),
      string('source_url', nullable),
      string('external_id', nullable),
      string('mime_type'),
      integer('size_bytes'),
      string('sha256'),
      json('metadata'),
      string('state'),
      string('status'),
      string('error_code', nullable),
      string('error_message', nullable),
      integer('attempts', { default: 0 }),
      integer('claim', { default: 0 }),
      string('indexing_mode', { default: `'group'` }),
      instant('due_at', nullable),
      integer('version', nullable),
      integer('passage_count', { default: 0 }),
      integer('chunk_size', nullable),
      integer('chunk_overlap', nullable),
      string('language', nullable),
      string('declared_language', nullable),
      json('languages', nullable),
      json('warnings', nullable),
      instant('created_at'),
      instant('updated_at'),
      instant('indexed_at', nullable),
    ],
    foreignKeys: ofKnowledgeBase,
    indices: [
      ...indexes(
        ['kb_id', 'state', 'status'],
        // Without the state, SQLite looks for duplicates by the index above, and so reads all
        // documents of the knowledge base.
        ['kb_id', 'sha256', 'state'],
        ['kb_id', 'external_id', 'state'],
        ['status', 'due_at'],
        // The next document to index is found by its user first.
        ['status', 'user_id', 'kb_id', 'id'],
      ),
      // A partial index, which SQLite uses for nothing else. By an index of all states it finds the
      // documents of a claim by reading every active document, although their ids are given.
      { columnNames: ['id'], where: `state = 'deactivated'` },
    ],
  }),
  new Table({
    name: 'document_contents',
    columns: [string('document_id', primary), binary('content')],
    foreignKeys: ofDocument,
  }),
  // Contents that are kept outside the database: as files, or in an object store.
  new Table({
    name: 'stored_contents',
    columns: [
      string('key', primary),
      string('store'),
      string('state'),
      string('document_id', nullable),
      instant('created_at'),
    ],
    foreignKeys: [belongsTo('document_id', 'documents', 'SET NULL')],
    indices: [{ columnNames: ['document_id'], isUnique: true }],
  }),
  new Table({
    name: 'passages',
    columns: [
      serial('number'),
      string('id'),
      string('kb_id'),
      string('document_id'),
      integer('version'),
      integer('position'),
      text('text'),
      text('heading', nullable),
      integer('page', nullable),
      json('locator', nullable),
      json('cells', nullable),
    ],
    foreignKeys: ofDocument,
    indices: [
      { columnNames: ['id'], isUnique: true },
      ...indexes(['kb_id', 'number'], ['document_id', 'version', 'position']),
    ],
  }),
  new Table({
    name: 'recognised_pages',
    columns: [
      string('document_id', primary),
      integer('page', primary),
      string('source'),
      string('languages'),
      text('text'),
    ],
    foreignKeys: ofDocument,
  }),
  new Table({
    name: 'knowledge_base_sizes',
    columns: [string('kb_id', primary), bigint('documents'), bigint('bytes')],
    foreignKeys: ofKnowledgeBase,
  }),
];
