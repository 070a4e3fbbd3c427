import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { databaseNow } from '../platform/database/database-now.js';
import { sqlParameter } from '../platform/database/dialect.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { MAX_BACKOFF_MS } from './indexing-limits.js';
import type { Document, IndexingLane } from './document.entity.js';
import { IndexingTurn } from './indexing-turn.entity.js';

/** How far ahead a turn may lie. A user who had an idle service alone never waits longer than this. */
const MAX_DELAY_MS = 60_000;
/** A turn further ahead than MAX_DELAY_MS was set before the clock was moved back, and is ignored. */
const TOLERANCE_MS = 1000;

/** The users with a pending document, found by one index lookup each. */
const WAITING = `
  SELECT MIN(user_id) FROM documents WHERE status = 'pending'
  UNION ALL
  SELECT (SELECT MIN(user_id) FROM documents WHERE status = 'pending' AND user_id > waiting.user_id)
  FROM waiting WHERE waiting.user_id IS NOT NULL`;

/**
 * The first knowledge base of the user, after another one, with a document that may be claimed. Rows
 * are compared, and not the user's id alone, so that PostgreSQL takes the index of both columns.
 */
const firstKnowledgeBase = (after: string) => `(
  SELECT d.kb_id FROM documents d
  WHERE d.status = 'pending'
    AND (d.user_id, d.kb_id) > (waiting.user_id, ${after}) AND d.user_id <= waiting.user_id
    AND d.state = 'active' AND d.lane IN (:...lanes) AND d.id NOT IN (:...excluded)
    AND (d.next_attempt_at IS NULL OR d.next_attempt_at NOT BETWEEN :now AND :backoff)
  ORDER BY d.user_id, d.kb_id LIMIT 1)`;

/** After the one that was served last, or else from the beginning. */
const NEXT_KNOWLEDGE_BASE = `COALESCE(
  ${firstKnowledgeBase(`COALESCE(owner.last_kb_id, '')`)}, ${firstKnowledgeBase(`''`)})`;

/**
 * Fair queuing between users: the one whose documents took the least indexing time lately is next, and
 * of its knowledge bases the one after that which was served last. A knowledge base counts for the
 * user who created it. Turns are stored in the database, so that all processes share one order.
 */
@Injectable()
export class IndexingTurns {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param excluded documents that must not be claimed
   * @returns the knowledge base with a document in one of these lanes whose turn it is, and its user
   */
  async next(
    now: Date,
    lanes: readonly IndexingLane[],
    excluded: readonly string[],
  ): Promise<Pick<Document, 'kbId' | 'userId'> | undefined> {
    return this.dataSource
      .createQueryBuilder()
      .select('waiting.user_id', 'userId')
      .addSelect(NEXT_KNOWLEDGE_BASE, 'kbId')
      .addCommonTableExpression(WAITING, 'waiting', { recursive: true, columnNames: ['user_id'] })
      .from('waiting', 'waiting')
      .leftJoin(
        IndexingTurn,
        'owner',
        `owner.id = 'owner:' || waiting.user_id AND owner.turn <= :latest`,
      )
      .where(`${firstKnowledgeBase(`''`)} IS NOT NULL`)
      .setParameters({
        now,
        backoff: new Date(now.getTime() + MAX_BACKOFF_MS),
        latest: now.getTime() + MAX_DELAY_MS + TOLERANCE_MS,
        lanes,
        // `NOT IN ()` is a syntax error in PostgreSQL.
        excluded: ['', ...excluded],
      })
      .orderBy('COALESCE(owner.turn, 0)')
      .addOrderBy('waiting.user_id')
      .limit(1)
      .getRawOne<Pick<Document, 'kbId' | 'userId'>>();
  }

  /** Delays the next turn of a user by the time spent on one of its knowledge bases. */
  async charge(
    { kbId, userId }: Pick<Document, 'kbId' | 'userId'>,
    milliseconds: number,
  ): Promise<void> {
    const spent = Math.min(Math.ceil(milliseconds), MAX_DELAY_MS);
    await this.unitOfWork.run(async (manager) => {
      const now = (await databaseNow(manager)).getTime();
      const latest = now + MAX_DELAY_MS;
      const [id, last] = [0, 1].map((index) => sqlParameter(manager.dataSource, index));
      await manager.query(
        `INSERT INTO indexing_turns (id, turn, last_kb_id) VALUES (${id}, ${now + spent}, ${last})
         ON CONFLICT (id) DO UPDATE SET last_kb_id = excluded.last_kb_id, turn = CASE
           WHEN indexing_turns.turn BETWEEN ${now} AND ${latest - spent}
             THEN indexing_turns.turn + ${spent}
           WHEN indexing_turns.turn BETWEEN ${latest - spent} AND ${latest + TOLERANCE_MS}
             THEN ${latest}
           ELSE excluded.turn END`,
        [`owner:${userId}`, kbId],
      );
      // A turn that passed so long ago has no effect any more.
      await manager.query(`DELETE FROM indexing_turns WHERE turn < ${now - MAX_DELAY_MS}`);
    });
  }
}
