import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from './require-empty.js';

/** Whether a key may rotate itself; those of before may not. */
export class SelfRotation1764500000012 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // TypeORM would copy the table on SQLite.
    await queryRunner.query('ALTER TABLE api_keys ADD COLUMN self_rotation_grace_seconds integer');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN self_rotation_grace_seconds');
  }
}
