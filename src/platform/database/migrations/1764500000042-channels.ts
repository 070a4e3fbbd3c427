import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { requireEmpty } from './require-empty.js';
import { belongsTo, indexes, nullable, primary, toTableColumns } from './tables/columns.js';

/** Channels in which people ask a knowledge base, the events received in them, and the answers sent. */
export class Channels1764500000042 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { string, text, json, instant } = toTableColumns(queryRunner.dataSource);
    await queryRunner.createTable(
      new Table({
        name: 'channels',
        columns: [
          string('id', primary),
          string('api_key_id'),
          string('type'),
          string('name'),
          text('signing_secret', nullable),
          text('bot_token', nullable),
          string('pepper_id'),
          string('workspace_id', nullable),
          string('workspace_name', nullable),
          string('bot_user_id', nullable),
          string('state'),
          instant('last_event_at', nullable),
          string('last_error', nullable),
          string('created_by'),
          instant('created_at'),
          instant('updated_at'),
        ],
        indices: [{ columnNames: ['api_key_id'], isUnique: true }],
        foreignKeys: [belongsTo('api_key_id', 'api_keys')],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'channel_events',
        columns: [
          string('id', primary),
          string('channel_id'),
          json('event', nullable),
          instant('created_at'),
        ],
        indices: indexes(['channel_id'], ['created_at']),
        foreignKeys: [belongsTo('channel_id', 'channels')],
      }),
    );
    await queryRunner.createTable(
      new Table({
        name: 'channel_answers',
        columns: [
          string('id', primary),
          string('channel_id'),
          string('conversation_id'),
          string('message_id'),
          string('place'),
          string('thread'),
          string('asker'),
          string('answer_message', nullable),
          json('reply', nullable),
          string('edited_at', nullable),
          string('rated_at', nullable),
          string('answered_edit', nullable),
          instant('created_at'),
        ],
        indices: indexes(
          ['channel_id', 'place', 'answer_message'],
          ['channel_id', 'place', 'thread', 'asker'],
          ['conversation_id'],
          ['created_at'],
        ),
        foreignKeys: [
          belongsTo('channel_id', 'channels'),
          belongsTo('conversation_id', 'conversations'),
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    for (const name of ['channel_answers', 'channel_events', 'channels']) {
      await queryRunner.dropTable(name);
    }
  }
}
