import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { isPostgres } from '../dialect.js';
import { requireEmpty } from './require-empty.js';
import { apiKeyTables } from './tables/api-keys.js';
import { chatTables } from './tables/chat.js';
import { toTableColumns } from './tables/columns.js';
import { curatedAnswerTables } from './tables/curated-answers.js';
import { documentTables } from './tables/documents.js';
import { evaluationTables } from './tables/evaluations.js';
import { knowledgeBaseTables } from './tables/knowledge-bases.js';
import { platformTables, RATE_LIMITS } from './tables/platform.js';
import { usageTables } from './tables/usage.js';
import { webhookTables } from './tables/webhooks.js';

/** All tables of entities; each after those that it refers to. */
const tables = (dataSource: DataSource) => {
  const columns = toTableColumns(dataSource);
  return [
    knowledgeBaseTables,
    apiKeyTables,
    documentTables,
    chatTables,
    curatedAnswerTables,
    evaluationTables,
    usageTables,
    webhookTables,
    platformTables,
  ].flatMap((tablesOf) => tablesOf(columns));
};

export class CreateTables1763600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables(queryRunner.dataSource)) await queryRunner.createTable(table);
    if (isPostgres(queryRunner.dataSource)) await queryRunner.query(RATE_LIMITS);
  }

  /** @throws Error while there are knowledge bases */
  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    if (isPostgres(queryRunner.dataSource)) await queryRunner.query('DROP TABLE rate_limits');
    for (const { name } of tables(queryRunner.dataSource).toReversed()) {
      await queryRunner.dropTable(name);
    }
  }
}
