import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * PostgreSQL: a vector may be in a column of pgvector instead, which the service adds where the
 * database has that extension.
 */
export class AllowPgvector1795500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.dataSource.options.type !== 'postgres') return;
    await queryRunner.query(
      `ALTER TABLE chunk_vectors ALTER vector DROP NOT NULL, ALTER signs DROP NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.dataSource.options.type !== 'postgres') return;
    // The vectors that this deletes are made again.
    await queryRunner.query(`DELETE FROM chunk_vectors WHERE vector IS NULL`);
    await queryRunner.query(
      `ALTER TABLE chunk_vectors DROP COLUMN IF EXISTS embedding,
         ALTER vector SET NOT NULL, ALTER signs SET NOT NULL`,
    );
  }
}
