import { toComparableName } from '@latchkey/text/person-name';
import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { requireEmpty } from './require-empty.js';
import { batches, run } from './statements.js';

const CONVERSATIONS_OF_END_USER = new TableIndex({
  columnNames: ['kb_id', 'compared_end_user_id', 'id'],
});

/**
 * Conversations are their end user's in any spelling. Processes of the version before leave the column
 * null: those conversations are compared by the name as it was written.
 */
export class CompareEndUsers1764300000010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE conversations ADD COLUMN compared_end_user_id varchar');
    // Most of them; the others follow.
    await queryRunner.query(
      `UPDATE conversations SET compared_end_user_id = LOWER(end_user_id)
       WHERE end_user_id IS NOT NULL`,
    );
    const select = `SELECT DISTINCT kb_id, end_user_id, compared_end_user_id FROM conversations
      WHERE end_user_id IS NOT NULL`;
    type Row = Record<'kb_id' | 'end_user_id' | 'compared_end_user_id', string>;
    const key = ['kb_id', 'end_user_id'];
    for await (const rows of batches<Row>(queryRunner, select, key)) {
      for (const row of rows) {
        const name = toComparableName(row.end_user_id);
        if (name === row.compared_end_user_id) continue;
        const set = `UPDATE conversations SET compared_end_user_id = ?
          WHERE kb_id = ? AND end_user_id = ?`;
        await run(queryRunner, set, name, row.kb_id, row.end_user_id);
      }
    }
    await queryRunner.createIndex('conversations', CONVERSATIONS_OF_END_USER);
  }

  /** @throws Error while there are knowledge bases */
  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.dropIndex('conversations', CONVERSATIONS_OF_END_USER);
    await queryRunner.query('ALTER TABLE conversations DROP COLUMN compared_end_user_id');
  }
}
