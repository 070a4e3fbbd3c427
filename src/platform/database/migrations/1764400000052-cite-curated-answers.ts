import { parseJson } from '@latchkey/text/parse-json';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from './require-empty.js';
import { batches, run } from './statements.js';

/** No knowledge base has this id, so nobody may read what is cited from it. */
const UNKNOWN_KB_ID = `kb_${'0'.repeat(26)}`;

interface Owned extends Record<string, string> {
  readonly id: string;
  readonly kb_id: string;
}

/**
 * Answers cite curated answers of another knowledge base than the conversation's with the id of that
 * knowledge base. It was left out where the conversation's own knowledge base had not been asked, so readers
 * of the conversation saw curated answers that they may not read.
 */
export class CiteCuratedAnswers1764400000052 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const curated = await run<Owned>(
      queryRunner,
      `SELECT id, kb_id FROM curated_answers
       UNION SELECT target_id, kb_id FROM events
       WHERE actor IS NOT NULL AND action = 'curated_answer.created'`,
    );
    const kbIds = new Map(curated.map(({ id, kb_id: kbId }) => [id, kbId]));
    const select = `SELECT id, CAST(told_document_ids AS text) AS document_ids,
        (SELECT c.kb_id FROM conversations c WHERE c.id = conversation_id) AS kb_id
      FROM messages WHERE CAST(told_document_ids AS text) LIKE '%"cur_%'`;
    for await (const rows of batches<Owned & { document_ids: string }>(queryRunner, select, [
      'id',
    ])) {
      for (const { id: messageId, document_ids: stored, kb_id: ownKbId } of rows) {
        const before = parseJson(stored) as string[];
        const cited = before.map((id) => {
          const kbId = id.startsWith('cur_') ? (kbIds.get(id) ?? UNKNOWN_KB_ID) : ownKbId;
          return kbId === ownKbId ? id : `${kbId}/${id}`;
        });
        if (cited.every((id, index) => id === before[index])) continue;
        const set = 'UPDATE messages SET told_document_ids = ? WHERE id = ?';
        await run(queryRunner, set, JSON.stringify(cited), messageId);
      }
    }
  }

  /** @throws Error while there are knowledge bases */
  down(queryRunner: QueryRunner): Promise<void> {
    return requireEmpty(queryRunner);
  }
}
