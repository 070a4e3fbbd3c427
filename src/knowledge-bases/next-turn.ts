import type { DataSource, EntityManager, ObjectLiteral } from 'typeorm';
import { databaseNow } from '../platform/database/database-now.js';
import { sqlParameter } from '../platform/database/dialect.js';
import type { FairShare } from './fair-share-lookup.js';
import { UserTurn } from './user-turn.entity.js';

/** How far ahead a turn can be. A user who had an idle service alone never waits longer than this. */
const MAX_DELAY_MS = 60_000;
/** A turn further ahead than MAX_DELAY_MS was set before the clock was moved back, and is ignored. */
const TOLERANCE_MS = 1000;

/**
 * Implements fair queuing between users: the user whose work took the least time recently is next, and of
 * its knowledge bases the one after that which was served last. A knowledge base counts for the user who
 * created it. Turns are stored in the database, so that all processes share one order.
 *
 * @param leasable SQL: which jobs `w` may be leased, besides that they wait and their knowledge base exists
 * @param parameters `queue`, and those of the condition
 * @returns the knowledge base with a job to lease whose turn it is, and its user
 */
export function findNextTurn(
  dataSource: DataSource,
  now: Date,
  leasable: string,
  parameters: ObjectLiteral,
): Promise<FairShare | undefined> {
  const first = (after: string) => firstKnowledgeBase(leasable, after);
  return (
    dataSource
      .createQueryBuilder()
      .select('waiting.user_id', 'userId')
      // The search begins after the one that was served last, and then at the beginning.
      .addSelect(`COALESCE(${first(`COALESCE(latest.last_kb_id, '')`)}, ${first(`''`)})`, 'kbId')
      .addCommonTableExpression(WAITING_USERS, 'waiting', {
        recursive: true,
        columnNames: ['user_id'],
      })
      .from('waiting', 'waiting')
      .leftJoin(
        UserTurn,
        'latest',
        `latest.queue = :queue AND latest.user_id = waiting.user_id AND latest.turn <= :lastTurn`,
      )
      .where(`${first(`''`)} IS NOT NULL`)
      .setParameters({ ...parameters, lastTurn: now.getTime() + MAX_DELAY_MS + TOLERANCE_MS })
      .orderBy('COALESCE(latest.turn, 0)')
      .addOrderBy('waiting.user_id')
      .limit(1)
      .getRawOne<FairShare>()
  );
}

/** Delays the next turn of a user by the time spent on one of its knowledge bases. */
export async function chargeUser(
  manager: EntityManager,
  queue: string,
  { kbId, userId }: FairShare,
  milliseconds: number,
): Promise<void> {
  const spent = Math.min(Math.ceil(milliseconds), MAX_DELAY_MS);
  const now = (await databaseNow(manager)).getTime();
  const latest = now + MAX_DELAY_MS;
  const [name, user, kb] = [0, 1, 2].map((index) => sqlParameter(manager.dataSource, index));
  await manager.query(
    `INSERT INTO user_turns (queue, user_id, turn, last_kb_id)
     VALUES (${name}, ${user}, ${now + spent}, ${kb})
     ON CONFLICT (queue, user_id) DO UPDATE SET last_kb_id = excluded.last_kb_id, turn = CASE
       WHEN user_turns.turn BETWEEN ${now} AND ${latest - spent} THEN user_turns.turn + ${spent}
       WHEN user_turns.turn BETWEEN ${latest - spent} AND ${latest + TOLERANCE_MS} THEN ${latest}
       ELSE excluded.turn END`,
    [queue, userId, kbId],
  );
  // A turn that is this old has no effect any more.
  await manager.query(`DELETE FROM user_turns WHERE turn < ${now - MAX_DELAY_MS}`);
}

const WAITING = `w.queue = :queue AND w.state = 'waiting'`;

/** SQL: the users with jobs that wait, found by one index lookup each. */
const WAITING_USERS = `
  SELECT MIN(w.user_id) FROM queued_jobs w WHERE ${WAITING}
  UNION ALL
  SELECT (SELECT MIN(w.user_id) FROM queued_jobs w WHERE ${WAITING} AND w.user_id > waiting.user_id)
  FROM waiting WHERE waiting.user_id IS NOT NULL`;

/**
 * SQL: the first knowledge base of the user, after another one, with a job that may be leased. Rows
 * are compared, and not the user's id alone, so that PostgreSQL takes the index of both columns.
 */
const firstKnowledgeBase = (leasable: string, after: string) => `(
  SELECT w.kb_id FROM queued_jobs w
  WHERE ${WAITING}
    AND (w.user_id, w.kb_id) > (waiting.user_id, ${after}) AND w.user_id <= waiting.user_id
    AND ${leasable}
    AND EXISTS (SELECT 1 FROM knowledge_bases WHERE id = w.kb_id AND state = 'active')
  ORDER BY w.user_id, w.kb_id LIMIT 1)`;
