import { MigrationInterface, QueryRunner, Table } from 'typeorm';

const ofKnowledgeBase = {
  columnNames: ['kb_id'],
  referencedTableName: 'knowledge_bases',
  referencedColumnNames: ['id'],
  onDelete: 'CASCADE',
};

const table = (
  columns: Record<string, string>,
  primary: readonly string[],
  indexed: readonly string[],
) =>
  new Table({
    name: 'usage_end_users',
    columns: Object.entries(columns).map(([name, type]) => ({
      name,
      type,
      isPrimary: primary.includes(name),
    })),
    foreignKeys: [ofKnowledgeBase],
    indices: [{ columnNames: [...indexed] }],
    withoutRowid: true,
  });

const byDays = () =>
  table(
    {
      ...{ kb_id: 'varchar', day: 'integer', api_key_id: 'varchar', end_user: 'bigint' },
      ...{ environment: 'varchar', morning: 'bigint', afternoon: 'bigint' },
    },
    ['kb_id', 'day', 'api_key_id', 'end_user'],
    ['kb_id', 'end_user'],
  );

const byQuarters = () =>
  table(
    {
      ...{ kb_id: 'varchar', quarter: 'integer', environment: 'varchar' },
      ...{ api_key_id: 'varchar', end_user: 'bigint' },
    },
    ['kb_id', 'quarter', 'environment', 'api_key_id', 'end_user'],
    ['kb_id', 'end_user', 'quarter'],
  );

/** A half-day's bits. */
const BITS = `WITH RECURSIVE bits (bit) AS
  (SELECT 0 UNION ALL SELECT bit + 1 FROM bits WHERE bit < 47)`;

const quartersOf = (half: string, first: number) =>
  `SELECT kb_id, day * 96 + ${first} + bit, environment, api_key_id, end_user
   FROM old_end_users, bits WHERE (${half} >> bit) & 1 = 1`;

const bitsOf = (half: number) =>
  `CAST(SUM(CASE WHEN quarter % 96 / 48 = ${half} THEN CAST(1 AS bigint) << (quarter % 48)
     ELSE 0 END) AS bigint)`;

/** A row for each quarter of an hour takes the place of a row for each day with a bit for each. */
export class NoteEndUsersByQuarters1763690000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await replace(
      queryRunner,
      byQuarters(),
      `${BITS} INSERT INTO usage_end_users
       ${quartersOf('morning', 0)} UNION ALL ${quartersOf('afternoon', 48)}`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await replace(
      queryRunner,
      byDays(),
      `INSERT INTO usage_end_users
       SELECT kb_id, quarter / 96, api_key_id, end_user, environment, ${bitsOf(0)}, ${bitsOf(1)}
       FROM old_end_users GROUP BY 1, 2, 3, 4, 5`,
    );
  }
}

async function replace(queryRunner: QueryRunner, next: Table, copy: string): Promise<void> {
  if (queryRunner.dataSource.options.type === 'postgres') {
    // Else what another process writes between the copy and the drop would be lost.
    await queryRunner.query('LOCK TABLE usage_end_users IN ACCESS EXCLUSIVE MODE');
  }
  await queryRunner.query('CREATE TABLE old_end_users AS SELECT * FROM usage_end_users');
  await queryRunner.dropTable('usage_end_users');
  await queryRunner.createTable(next);
  await queryRunner.query(copy);
  await queryRunner.query('DROP TABLE old_end_users');
}
