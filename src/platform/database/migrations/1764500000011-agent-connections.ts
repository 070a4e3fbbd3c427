import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { belongsTo, indexes, nullable, primary, toTableColumns } from './tables/columns.js';

/** Agents that were connected to API keys, and what the authorization server keeps of them. */
export class AgentConnections1764500000011 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { string, text, integer, json, instant } = toTableColumns(queryRunner.dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'agent_connections',
        columns: [
          string('id', primary),
          string('api_key_id'),
          string('client_id'),
          string('client_name'),
          string('client_host', nullable),
          string('resource'),
          text('scopes'),
          string('state'),
          string('person_id', nullable),
          string('end_user_id', nullable),
          json('principals', nullable),
          instant('created_at'),
          instant('connected_at', nullable),
          instant('expires_at'),
          instant('last_used_at', nullable),
          integer('requests', { default: 0 }),
        ],
        foreignKeys: [belongsTo('api_key_id', 'api_keys')],
        indices: indexes(['api_key_id'], ['expires_at'], ['client_id']),
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'oauth_records',
        columns: [
          string('model', primary),
          string('id', primary),
          string('connection_id', nullable),
          json('payload'),
          instant('created_at'),
          instant('expires_at', nullable),
          instant('consumed_at', nullable),
        ],
        foreignKeys: [belongsTo('connection_id', 'agent_connections')],
        indices: indexes(['connection_id'], ['expires_at']),
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('oauth_records');
    await queryRunner.dropTable('agent_connections');
  }
}
