import { createHash } from 'node:crypto';
import { toComparableName } from '@latchkey/text/person-name';
import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { requireEmpty } from './require-empty.js';
import { batches, run } from './statements.js';

const NAMES_OF_DIRECTORY = new TableIndex({
  columnNames: ['service_account_id', 'compared_name'],
});
const ROLES = ['viewer', 'member', 'owner'];
/** Ids that are no person's, in any case: nobody can have signed in with these as they are compared. */
const OF_NO_PERSON = /^(?:group:|sa_[0-9a-z]{26}$)/i;

/**
 * Names of persons are compared in one form from now on: those that are stored for comparison get it, and
 * what is shown stays as it was written. Two spellings of one person become one person:
 *
 * - a member of a knowledge base twice is one member, with the higher of the two roles;
 * - in the directory both stay, since the identity provider has the ids of both: the person has left while
 *   one of them is not active. A deleted one goes where the person is there in another spelling;
 * - what both have used counts towards one budget.
 *
 * Entries of rules are added in the new form; the former ones stay for processes of the version before.
 */
export class CompareNamesOfPersons1764300000004 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE knowledge_base_members ADD COLUMN written_id varchar');
    await queryRunner.query('ALTER TABLE directory_users ADD COLUMN compared_name varchar');
    await joinMembers(queryRunner);
    await compareDirectory(queryRunner);
    await compareOwners(queryRunner);
    await addEntries(queryRunner);
    await joinUsage(queryRunner);
  }

  /** @throws Error while there are knowledge bases, since what was joined stays so */
  async down(queryRunner: QueryRunner): Promise<void> {
    await requireEmpty(queryRunner);
    await queryRunner.dropIndex('directory_users', NAMES_OF_DIRECTORY);
    await queryRunner.query('ALTER TABLE directory_users DROP COLUMN compared_name');
    await queryRunner.query('ALTER TABLE knowledge_base_members DROP COLUMN written_id');
  }
}

async function joinMembers(queryRunner: QueryRunner): Promise<void> {
  const members = await run<{ id: string; kb_id: string; user_id: string; role: string }>(
    queryRunner,
    `SELECT id, kb_id, user_id, role FROM knowledge_base_members
     WHERE user_id <> LOWER(user_id) ORDER BY id`,
  );
  for (const { id, kb_id: kbId, user_id: writtenId, role } of members) {
    if (OF_NO_PERSON.test(writtenId)) continue;
    const userId = toComparableName(writtenId);
    const [other] = await run<{ id: string; role: string }>(
      queryRunner,
      'SELECT id, role FROM knowledge_base_members WHERE kb_id = ? AND user_id = ?',
      kbId,
      userId,
    );
    if (!other) {
      const set = 'UPDATE knowledge_base_members SET user_id = ?, written_id = ? WHERE id = ?';
      await run(queryRunner, set, userId, writtenId, id);
      continue;
    }
    await run(queryRunner, 'DELETE FROM knowledge_base_members WHERE id = ?', id);
    if (ROLES.indexOf(role) <= ROLES.indexOf(other.role)) continue;
    const set = 'UPDATE knowledge_base_members SET role = ? WHERE id = ?';
    await run(queryRunner, set, role, other.id);
  }
}

async function compareDirectory(queryRunner: QueryRunner): Promise<void> {
  // Most of them; the others follow. Ids stay as they are until then: LOWER is not the same everywhere.
  await queryRunner.query('UPDATE directory_users SET compared_name = LOWER(user_name)');
  const select = 'SELECT id, user_name, user_id, compared_name FROM directory_users WHERE 1 = 1';
  type Row = Record<'id' | 'user_name' | 'user_id' | 'compared_name', string>;
  for await (const rows of batches<Row>(queryRunner, select, ['id'])) {
    for (const row of rows) {
      const [name, userId] = [toComparableName(row.user_name), toComparableName(row.user_id)];
      if (name === row.compared_name && userId === row.user_id) continue;
      const set = 'UPDATE directory_users SET compared_name = ?, user_id = ? WHERE id = ?';
      await run(queryRunner, set, name, userId, row.id);
    }
  }
  await queryRunner.createIndex('directory_users', NAMES_OF_DIRECTORY);
  await queryRunner.query(
    `DELETE FROM directory_users WHERE removed_at IS NOT NULL AND EXISTS (
       SELECT 1 FROM directory_users other
       WHERE other.service_account_id = directory_users.service_account_id
         AND other.compared_name = directory_users.compared_name
         AND other.user_id = directory_users.user_id
         AND (other.removed_at IS NULL OR other.id > directory_users.id))`,
  );
}

/** These ids are ASCII. */
async function compareOwners(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(
    `INSERT INTO former_owners (user_id, kb_id, deleted_at)
     SELECT LOWER(user_id), kb_id, MAX(deleted_at) FROM former_owners
     WHERE user_id <> LOWER(user_id) AND LOWER(user_id) NOT LIKE 'group:%'
     GROUP BY LOWER(user_id), kb_id
     ON CONFLICT (user_id, kb_id) DO NOTHING`,
  );
  await queryRunner.query(
    `UPDATE knowledge_bases SET created_by = LOWER(created_by)
     WHERE created_by <> LOWER(created_by)`,
  );
}

async function addEntries(queryRunner: QueryRunner): Promise<void> {
  const select = `SELECT set_id, effect, principal, kb_id FROM access_entries
    WHERE principal LIKE 'user:%'`;
  type Row = Record<'set_id' | 'effect' | 'principal' | 'kb_id', string>;
  const changed = new Set<string>();
  for await (const rows of batches<Row>(queryRunner, select, ['set_id', 'effect', 'principal'])) {
    for (const { set_id: setId, effect, principal, kb_id: kbId } of rows) {
      const compared = `user:${toComparableName(principal.slice('user:'.length))}`;
      if (compared === principal) continue;
      changed.add(kbId);
      await run(
        queryRunner,
        `INSERT INTO access_entries (set_id, effect, principal, kb_id) VALUES (?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
        ...[setId, effect, compared, kbId],
      );
    }
  }
  for (const kbId of changed) {
    const set = 'UPDATE knowledge_bases SET access_version = access_version + 1 WHERE id = ?';
    await run(queryRunner, set, kbId);
  }
}

/** As `endUserNumber` makes it, of a name as it is compared. */
const toUserNumber = (kbId: string, name: string): string => {
  const digest = createHash('sha256').update(`${kbId}\n${name}`).digest('hex');
  return parseInt(digest.slice(0, 13), 16).toString(36);
};

async function joinUsage(queryRunner: QueryRunner): Promise<void> {
  const select = `SELECT DISTINCT kb_id, end_user_id FROM conversations
    WHERE end_user_id IS NOT NULL`;
  type Row = Record<'kb_id' | 'end_user_id', string>;
  for await (const rows of batches<Row>(queryRunner, select, ['kb_id', 'end_user_id'])) {
    for (const { kb_id: kbId, end_user_id: endUserId } of rows) {
      const name = toComparableName(endUserId);
      if (name === endUserId) continue;
      await moveUsage(queryRunner, kbId, toUserNumber(kbId, endUserId), toUserNumber(kbId, name));
    }
  }
}

async function moveUsage(
  queryRunner: QueryRunner,
  kbId: string,
  from: string,
  to: string,
): Promise<void> {
  const sum = ['requests', 'prompt_tokens', 'completion_tokens', 'cost']
    .map((column) => `${column} = usage_members.${column} + excluded.${column}`)
    .join(', ');
  const rows = `FROM usage_members WHERE kind = 'end_user' AND kb_id = ? AND member = ?`;
  await run(
    queryRunner,
    `INSERT INTO usage_members (kb_id, kind, quarter, environment, api_key_id, member,
       requests, prompt_tokens, completion_tokens, cost)
     SELECT kb_id, kind, quarter, environment, api_key_id, CAST(? AS varchar),
       requests, prompt_tokens, completion_tokens, cost ${rows}
     ON CONFLICT (kb_id, kind, quarter, environment, api_key_id, member) DO UPDATE SET ${sum}`,
    ...[to, kbId, from],
  );
  await run(queryRunner, `DELETE ${rows}`, kbId, from);
  // Counted anew from these by the next message.
  const counts = 'DELETE FROM budget_counts WHERE kb_id = ? AND subject IN (?, ?)';
  await run(queryRunner, counts, kbId, `user:${from}`, `user:${to}`);
}
