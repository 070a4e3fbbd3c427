import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { sqlParameter, sqlToday } from '../../platform/database/dialect.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { Problem } from '../../platform/problems/problem.js';
import { DailyMessageCount } from './daily-message-count.entity.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The largest number that the column can store. */
const UNLIMITED = 2 ** 31 - 1;

/**
 * Counts the chat messages of a knowledge base by UTC day, even without a limit, so that a limit set at
 * noon applies to the whole day.
 */
@Injectable()
export class DailyMessageLimit {
  /**
   * Counts one message in the caller's unit of work, with one conditional statement: the limit is exact for
   * any number of processes, and a message that is rolled back does not count.
   *
   * @throws Problem `daily_limit_reached`
   */
  async count(manager: EntityManager, kbId: string, limit: number | null): Promise<void> {
    const isCounted = limit !== 0 && (await increment(manager, kbId, limit ?? UNLIMITED));
    if (!isCounted) throw await limitReached(manager);
  }

  /** How many more messages `count` would admit today. It counts nothing. */
  async countRemaining(manager: EntityManager, kbId: string, limit: number): Promise<number> {
    const today = await manager
      .createQueryBuilder(DailyMessageCount, 'count')
      .where({ kbId })
      .andWhere(`count.day = ${sqlToday(manager.dataSource)}`)
      .getOne();
    return Math.max(0, limit - (today?.messages ?? 0));
  }
}

/** @returns false when the limit is reached */
async function increment(manager: EntityManager, kbId: string, limit: number): Promise<boolean> {
  const [kb, max] = [0, 1].map((index) => sqlParameter(manager.dataSource, index));
  const counted = await manager.query<object[]>(
    `INSERT INTO daily_message_counts (kb_id, day, messages)
     VALUES (${kb}, ${sqlToday(manager.dataSource)}, 1)
     ON CONFLICT (kb_id, day) DO UPDATE SET messages = daily_message_counts.messages + 1
     WHERE daily_message_counts.messages < ${max}
     RETURNING messages`,
    [kbId, limit],
  );
  return counted.length > 0;
}

async function limitReached(manager: EntityManager): Promise<Problem> {
  const now = await databaseNow(manager);
  const seconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
  return new Problem('daily_limit_reached', { headers: { 'retry-after': String(seconds) } });
}
