import { MigrationInterface, QueryRunner, Table, TableIndex } from 'typeorm';

const createdBy = () => new TableIndex({ columnNames: ['created_by', 'state'] });

/** What each user and knowledge base takes of the service: for quotas and turns. */
export class CountShares1763700300000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // TypeORM's own addColumn would copy the whole table on SQLite.
    await queryRunner.query('ALTER TABLE knowledge_bases ADD COLUMN created_by varchar');
    // Whoever has owned it longest.
    await queryRunner.query(
      `UPDATE knowledge_bases SET created_by =
         (SELECT user_id FROM knowledge_base_members
          WHERE kb_id = knowledge_bases.id AND role = 'owner' ORDER BY id LIMIT 1)`,
    );
    await queryRunner.createIndex('knowledge_bases', createdBy());
    await queryRunner.query(
      `ALTER TABLE documents ADD COLUMN lane varchar NOT NULL DEFAULT 'group'`,
    );
    await queryRunner.createTable(
      new Table({
        name: 'knowledge_base_sizes',
        columns: [
          { name: 'kb_id', type: 'varchar', isPrimary: true },
          { name: 'documents', type: 'bigint' },
          { name: 'bytes', type: 'bigint' },
        ],
        foreignKeys: [
          {
            columnNames: ['kb_id'],
            referencedTableName: 'knowledge_bases',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
      }),
    );
    await queryRunner.query(
      `INSERT INTO knowledge_base_sizes (kb_id, documents, bytes)
       SELECT kb_id, COUNT(*), SUM(size_bytes) FROM documents WHERE state = 'active' GROUP BY kb_id`,
    );
    await queryRunner.createTable(
      new Table({
        name: 'indexing_turns',
        columns: [
          { name: 'id', type: 'varchar', isPrimary: true },
          { name: 'turn', type: 'bigint' },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('indexing_turns');
    await queryRunner.dropTable('knowledge_base_sizes');
    await queryRunner.query('ALTER TABLE documents DROP COLUMN lane');
    await queryRunner.dropIndex('knowledge_bases', createdBy());
    await queryRunner.query('ALTER TABLE knowledge_bases DROP COLUMN created_by');
  }
}
