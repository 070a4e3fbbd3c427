import { MigrationInterface, QueryRunner, Table } from 'typeorm';
import { REQUIREMENTS_TABLE } from '../schema-requirements.js';

/** From here on an older version runs on a newer schema, unless a migration says that it cannot. */
export class RequireMigrations1795400000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: REQUIREMENTS_TABLE,
        columns: [{ name: 'migration', type: 'varchar', isPrimary: true }],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(REQUIREMENTS_TABLE);
  }
}
