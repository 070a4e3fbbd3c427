import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { requireEmpty } from './require-empty.js';
import { indexes, nullable, primary, toTableColumns } from './tables/columns.js';

const OF_CHANGES = indexes(['kb_id', 'id'], ['kb_id', 'actor', 'id'], ['kb_id', 'action', 'id']);
const INDEXES = [
  { columnNames: ['id'], isUnique: true },
  ...OF_CHANGES.map((index) => ({ ...index, where: 'actor IS NOT NULL' })),
  { columnNames: ['seq'], where: 'actor IS NULL' },
];
const COLUMNS = 'id, kb_id, actor, action, target_id, created_at, request_id, details';
/** The table of the audit list becomes that of all events, which readers follow by their position. */
export class Events1764400000031 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { string, bigint, instant, json, serial } = toTableColumns(queryRunner.dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'events',
        columns: [
          serial('seq'),
          string('id'),
          string('kb_id'),
          string('action'),
          string('actor', nullable),
          string('target_id', nullable),
          string('request_id', nullable),
          instant('created_at'),
          json('details', nullable),
          json('data', nullable),
        ],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'event_readers',
        columns: [string('name', primary), bigint('position'), instant('seen_at')],
      }),
    );
    await queryRunner.query(
      `INSERT INTO events (${COLUMNS}) SELECT ${COLUMNS} FROM audit_events ORDER BY id`,
    );
    for (const index of INDEXES) await queryRunner.createIndex('events', new TableIndex(index));
    await queryRunner.dropTable('audit_events');
    // As a statement: TypeORM would write the table of SQLite anew.
    await queryRunner.query(
      'ALTER TABLE webhooks ADD COLUMN since_event bigint NOT NULL DEFAULT 0',
    );
  }

  /** @throws Error while there are knowledge bases */
  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    const { string, instant, json } = toTableColumns(queryRunner.dataSource);
    await queryRunner.query('ALTER TABLE webhooks DROP COLUMN since_event');
    await queryRunner.createTable(
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
        indices: OF_CHANGES,
      }),
    );
    await queryRunner.query(
      `INSERT INTO audit_events (${COLUMNS})
       SELECT ${COLUMNS} FROM events WHERE actor IS NOT NULL`,
    );
    await queryRunner.dropTable('event_readers');
    await queryRunner.dropTable('events');
  }
}
