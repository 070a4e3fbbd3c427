import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { databaseNow } from '../database/database-now.js';
import { sqlParameter } from '../database/dialect.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { MAX_BACKOFF_MS } from './indexing-limits.js';
import type { IndexingLane } from './document.entity.js';
import { IndexingTurn } from './indexing-turn.entity.js';

/** How far ahead a turn may lie. A user who had an idle service alone never waits longer than this. */
const MAX_DELAY_MS = 60_000;
/** A turn further ahead than MAX_DELAY_MS was set before the clock was moved back, and is ignored. */
const TOLERANCE_MS = 1000;

/** The knowledge bases with a pending document, found by one index lookup each. */
const WAITING = `
  SELECT MIN(kb_id) FROM documents WHERE status = 'pending'
  UNION ALL
  SELECT (SELECT MIN(kb_id) FROM documents WHERE status = 'pending' AND kb_id > waiting.kb_id)
  FROM waiting WHERE waiting.kb_id IS NOT NULL`;

/**
 * Fair queuing between users, and between the knowledge bases of one user: the one whose documents
 * took the least indexing time lately is next. A knowledge base counts for the user who created it.
 * Turns are stored in the database, so that all processes share one order.
 */
@Injectable()
export class IndexingTurns {
  constructor(
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param excluded documents that must not be claimed
   * @returns the knowledge base with a document in one of these lanes whose turn it is
   */
  async next(
    now: Date,
    lanes: readonly IndexingLane[],
    excluded: readonly string[],
  ): Promise<string | undefined> {
    const [next] = await this.knowledgeBases
      .createQueryBuilder('kb')
      .select('kb.id', 'id')
      .addCommonTableExpression(WAITING, 'waiting', { recursive: true, columnNames: ['kb_id'] })
      .innerJoin('waiting', 'waiting', 'waiting.kb_id = kb.id')
      .leftJoin(
        IndexingTurn,
        'owner',
        `owner.id = 'owner:' || COALESCE(kb.created_by, kb.id) AND owner.turn <= :latest`,
      )
      .leftJoin(IndexingTurn, 'own', `own.id = 'kb:' || kb.id AND own.turn <= :latest`)
      .where(
        `EXISTS (SELECT 1 FROM documents d
           WHERE d.status = 'pending' AND d.kb_id = kb.id AND d.state = 'active'
             AND d.lane IN (:...lanes) AND d.id NOT IN (:...excluded)
             AND (d.next_attempt_at IS NULL OR d.next_attempt_at NOT BETWEEN :now AND :backoff))`,
      )
      .setParameters({
        now,
        backoff: new Date(now.getTime() + MAX_BACKOFF_MS),
        latest: now.getTime() + MAX_DELAY_MS + TOLERANCE_MS,
        lanes,
        // `NOT IN ()` is a syntax error in PostgreSQL.
        excluded: ['', ...excluded],
      })
      .orderBy('COALESCE(owner.turn, 0)')
      .addOrderBy('COALESCE(own.turn, 0)')
      .addOrderBy('kb.id')
      .limit(1)
      .getRawMany<{ id: string }>();
    return next?.id;
  }

  /** Delays the next turns of a knowledge base and of its user by the time spent on it. */
  async charge(kbId: string, milliseconds: number): Promise<void> {
    const spent = Math.min(Math.ceil(milliseconds), MAX_DELAY_MS);
    await this.unitOfWork.run(async (manager) => {
      const now = (await databaseNow(manager)).getTime();
      const latest = now + MAX_DELAY_MS;
      await manager.query(
        `INSERT INTO indexing_turns (id, turn)
         SELECT 'owner:' || COALESCE(created_by, id), ${now + spent}
         FROM knowledge_bases WHERE id = ${sqlParameter(manager.dataSource, 0)}
         UNION ALL
         SELECT 'kb:' || id, ${now + spent} FROM knowledge_bases WHERE id = ${sqlParameter(manager.dataSource, 1)}
         ON CONFLICT (id) DO UPDATE SET turn = CASE
           WHEN indexing_turns.turn BETWEEN ${now} AND ${latest - spent}
             THEN indexing_turns.turn + ${spent}
           WHEN indexing_turns.turn BETWEEN ${latest - spent} AND ${latest + TOLERANCE_MS}
             THEN ${latest}
           ELSE excluded.turn END`,
        [kbId, kbId],
      );
      // A turn that passed so long ago has no effect any more.
      await manager.query(`DELETE FROM indexing_turns WHERE turn < ${now - MAX_DELAY_MS}`);
    });
  }
}
