import { MigrationInterface, QueryRunner, Table, TableForeignKey, TableIndex } from 'typeorm';
import { columnTypes } from '../dialect.js';

const EVENTS = 'audit_events';

const indices = ['actor', 'action'].map(
  (column) => new TableIndex({ columnNames: ['kb_id', column, 'id'] }),
);

/** Events outlive their knowledge base, and those who owned it then may read them. */
export class KeepAuditEvents1763710000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant } = columnTypes(queryRunner.dataSource);
    const [foreignKey] = (await queryRunner.getTable(EVENTS))?.foreignKeys ?? [];
    if (foreignKey) await queryRunner.dropForeignKey(EVENTS, foreignKey);
    await queryRunner.createIndices(EVENTS, indices);
    await queryRunner.createTable(
      new Table({
        name: 'former_owners',
        columns: [
          { name: 'user_id', type: 'varchar', isPrimary: true },
          { name: 'kb_id', type: 'varchar', isPrimary: true },
          { name: 'deleted_at', type: instant },
        ],
        indices: [{ columnNames: ['deleted_at'] }],
      }),
    );
    // Those that were deleted, and whose rows are still being removed.
    await queryRunner.query(
      `INSERT INTO former_owners (user_id, kb_id, deleted_at)
       SELECT member.user_id, kb.id, kb.updated_at FROM knowledge_bases kb
       JOIN knowledge_base_members member ON member.kb_id = kb.id AND member.role = 'owner'
       WHERE kb.state = 'deactivated'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('former_owners');
    await queryRunner.dropIndices(EVENTS, indices);
    await queryRunner.query(
      `DELETE FROM ${EVENTS} WHERE kb_id NOT IN (SELECT id FROM knowledge_bases)`,
    );
    await queryRunner.createForeignKey(
      EVENTS,
      new TableForeignKey({
        columnNames: ['kb_id'],
        referencedTableName: 'knowledge_bases',
        referencedColumnNames: ['id'],
        onDelete: 'CASCADE',
      }),
    );
  }
}
