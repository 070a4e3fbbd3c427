import { MigrationInterface, QueryRunner } from 'typeorm';

/** What processes on PostgreSQL count requests in; in the form that rate-limiter-flexible reads. */
export class CreateRateLimits1763640000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.dataSource.options.type !== 'postgres') return;
    // Unlogged: a count of the last minute need not survive a crash of the server, and so no
    // request waits for a disk. Room in each page keeps the updates of a row beside it.
    await queryRunner.query(
      `CREATE UNLOGGED TABLE rate_limits (
         key varchar(255) PRIMARY KEY,
         points integer NOT NULL DEFAULT 0,
         expire bigint)
       WITH (fillfactor = 50)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.dataSource.options.type !== 'postgres') return;
    await queryRunner.query('DROP TABLE rate_limits');
  }
}
