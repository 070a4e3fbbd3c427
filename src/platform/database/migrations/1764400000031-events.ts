import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { isPostgres } from '../dialect.js';
import { requireEmpty } from './require-empty.js';
import { indexes, nullable, primary, toTableColumns } from './tables/columns.js';

const OF_CHANGES = indexes(['kb_id', 'id'], ['kb_id', 'actor', 'id'], ['kb_id', 'action', 'id']);
const INDEXES = [
  { columnNames: ['id'], isUnique: true },
  ...OF_CHANGES.map((index) => ({ ...index, where: 'actor IS NOT NULL' })),
  { columnNames: ['seq'], where: 'actor IS NULL' },
];
const COLUMNS = 'id, kb_id, actor, action, target_id, created_at, request_id, details';
/**
 * The table of the audit list becomes that of all events, which readers follow by their position. Processes
 * of the version before still read and write `audit_events`, now a view; they tell of their events
 * themselves.
 */
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
    const postgres = isPostgres(queryRunner.dataSource);
    if (postgres) await queryRunner.query('LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE');
    await queryRunner.query(
      `INSERT INTO events (${COLUMNS}) SELECT ${COLUMNS} FROM audit_events ORDER BY id`,
    );
    for (const index of INDEXES) await queryRunner.createIndex('events', new TableIndex(index));
    await queryRunner.dropTable('audit_events');
    await queryRunner.query(
      `CREATE VIEW audit_events AS
       SELECT seq, ${COLUMNS} FROM events WHERE actor IS NOT NULL`,
    );
    for (const statement of postgres ? POSTGRES_VIEW : SQLITE_VIEW) {
      await queryRunner.query(statement);
    }
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
    await queryRunner.query('DROP VIEW audit_events');
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

/** What is written to the view gets a position below 0, which no reader reads. */
const POSTGRES_VIEW = [
  `ALTER VIEW audit_events ALTER COLUMN seq
   SET DEFAULT -nextval(pg_get_serial_sequence('events', 'seq'))`,
];

const SQLITE_VIEW = [
  `CREATE TRIGGER audit_events_insert INSTEAD OF INSERT ON audit_events BEGIN
     INSERT INTO events (seq, ${COLUMNS})
     SELECT (SELECT MIN(0, COALESCE(MIN(seq), 0)) - 1 FROM events),
       ${COLUMNS.replace(/\w+/g, 'NEW.$&')};
   END`,
  `CREATE TRIGGER audit_events_delete INSTEAD OF DELETE ON audit_events BEGIN
     DELETE FROM events WHERE seq = OLD.seq;
   END`,
];
