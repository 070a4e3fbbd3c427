import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { columnTypes, sqlNow } from '../dialect.js';
import { requireEmpty } from './require-empty.js';
import { indexes, nullable, ofKnowledgeBase, primary, toTableColumns } from './tables/columns.js';

/** The indexes and columns with which four tables were queues of their own. */
const INDEXES = {
  documents: [
    ['status', 'due_at'],
    ['status', 'user_id', 'kb_id', 'id'],
  ],
  source_runs: [['status', 'user_id', 'kb_id', 'due_at']],
  evaluations: [['status', 'user_id', 'kb_id', 'due_at']],
  webhook_deliveries: [['due_at']],
};
const columnsOf = (instant: string) => {
  const [dueAt, lease] = [`due_at ${instant}`, 'lease integer NOT NULL DEFAULT 0'];
  const userId = `user_id varchar NOT NULL DEFAULT ''`;
  return {
    documents: [dueAt, userId, `indexing_mode varchar NOT NULL DEFAULT 'group'`],
    source_runs: [dueAt, userId, lease],
    evaluations: [dueAt, userId, lease],
    webhook_deliveries: [dueAt, lease],
  };
};

/** SQL: the rows `s` that wait or are leased, their knowledge bases, kinds, priorities and attempts. */
const QUEUED = {
  documents: {
    columns: `s.indexing_mode,
      CASE WHEN s.indexing_mode = 'recognition' AND s.version IS NOT NULL THEN 1 ELSE 0 END,
      s.attempts`,
    from: 'documents s JOIN knowledge_bases kb ON kb.id = s.kb_id',
    where: `s.state = 'active' AND s.status IN ('pending', 'processing')`,
  },
  source_runs: {
    columns: `'', 0, s.lease`,
    from: 'source_runs s JOIN knowledge_bases kb ON kb.id = s.kb_id',
    where: 's.ended_at IS NULL',
  },
  evaluations: {
    columns: `'', 0, s.lease`,
    from: 'evaluations s JOIN knowledge_bases kb ON kb.id = s.kb_id',
    where: `s.status IN ('pending', 'running')`,
  },
  webhook_deliveries: {
    columns: 's.webhook_id, 0, s.lease',
    from: `webhook_deliveries s JOIN webhooks w ON w.id = s.webhook_id
      JOIN knowledge_bases kb ON kb.id = w.kb_id`,
    where: `s.state IN ('scheduled', 'sending')`,
  },
};

/**
 * One table for the queues of documents, runs of sources, evaluations and deliveries. What was leased is
 * leased again when that lease has expired. Columns are changed by statements, because TypeORM would write
 * the tables of SQLite anew.
 */
export class QueuedJobs1764400000051 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { dataSource } = queryRunner;
    const { string, integer, bigint, instant } = toTableColumns(dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'queued_jobs',
        columns: [
          string('queue', primary),
          string('subject_id', primary),
          string('kb_id'),
          string('user_id'),
          string('kind'),
          bigint('priority'),
          string('state'),
          instant('due_at'),
          string('lease', nullable),
          integer('attempts'),
        ],
        foreignKeys: ofKnowledgeBase,
        indices: indexes(
          ['queue', 'state', 'user_id', 'kb_id', 'priority', 'subject_id'],
          ['queue', 'state', 'due_at'],
          ['kb_id'],
        ),
      }),
    );
    for (const [queue, { columns, from, where }] of Object.entries(QUEUED)) {
      await queryRunner.query(
        `INSERT INTO queued_jobs (queue, subject_id, kb_id, user_id, state, due_at, lease,
           kind, priority, attempts)
         SELECT '${queue}', s.id, kb.id, COALESCE(kb.created_by, kb.id), 'waiting',
           COALESCE(s.due_at, ${sqlNow(dataSource)}), NULL, ${columns} FROM ${from} WHERE ${where}`,
      );
    }
    await queryRunner.query(`UPDATE source_runs SET status = 'running' WHERE status = 'queued'`);
    await queryRunner.query(
      `UPDATE webhook_deliveries SET state = 'queued' WHERE state IN ('scheduled', 'sending')`,
    );
    for (const [table, lists] of Object.entries(INDEXES)) {
      for (const index of indexes(...lists)) {
        await queryRunner.dropIndex(table, new TableIndex(index));
      }
    }
    for (const [table, columns] of Object.entries(columnsOf(columnTypes(dataSource).instant))) {
      for (const column of columns) {
        await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN ${column.split(' ')[0]}`);
      }
    }
    await queryRunner.query('ALTER TABLE documents RENAME COLUMN lease TO last_version');
  }

  /** @throws Error while there are knowledge bases */
  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.query('ALTER TABLE documents RENAME COLUMN last_version TO lease');
    const { instant } = columnTypes(queryRunner.dataSource);
    for (const [table, columns] of Object.entries(columnsOf(instant))) {
      for (const column of columns) {
        await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN ${column}`);
      }
    }
    for (const [table, lists] of Object.entries(INDEXES)) {
      for (const index of indexes(...lists)) {
        await queryRunner.createIndex(table, new TableIndex(index));
      }
    }
    await queryRunner.dropTable('queued_jobs');
  }
}
