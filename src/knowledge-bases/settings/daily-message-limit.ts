import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { sqlParameter, sqlToday } from '../../platform/database/dialect.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { Problem } from '../../platform/problems/problem.js';
import { DailyMessageCount } from './daily-message-count.entity.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The greatest number that the column holds. */
const UNLIMITED = 2 ** 31 - 1;

/**
 * Counts the chat messages of a knowledge base by UTC day, also without a limit, so that a limit set
 * at noon applies to the whole day.
 */
@Injectable()
export class DailyMessageLimit {
  /**
   * Counts one message in the caller's unit of work, by one conditional statement: the limit is exact
   * with any number of processes, and a message that is rolled back is not counted.
   *
   * @throws Problem `daily_limit_reached`
   */
  async count(manager: EntityManager, kbId: string, limit: number | null): Promise<void> {
    const messages = limit === 0 ? undefined : await increment(manager, kbId, limit ?? UNLIMITED);
    if (messages === undefined) throw await limitReached(manager);
    if (messages === 1) await deleteEarlier(manager, kbId);
  }
}

/** @returns the new count; undefined when the limit is reached */
async function increment(
  manager: EntityManager,
  kbId: string,
  limit: number,
): Promise<number | undefined> {
  const [kb, max] = [0, 1].map((index) => sqlParameter(manager.dataSource, index));
  const [row] = await manager.query<{ messages: number }[]>(
    `INSERT INTO daily_message_counts (kb_id, day, messages)
     VALUES (${kb}, ${sqlToday(manager.dataSource)}, 1)
     ON CONFLICT (kb_id, day) DO UPDATE SET messages = daily_message_counts.messages + 1
     WHERE daily_message_counts.messages < ${max}
     RETURNING messages`,
    [kbId, limit],
  );
  return row?.messages;
}

async function deleteEarlier(manager: EntityManager, kbId: string): Promise<void> {
  await manager
    .createQueryBuilder()
    .delete()
    .from(DailyMessageCount)
    .where(`kb_id = :kbId AND day < ${sqlToday(manager.dataSource)}`, { kbId })
    .execute();
}

async function limitReached(manager: EntityManager): Promise<Problem> {
  const now = await databaseNow(manager);
  const seconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
  return new Problem('daily_limit_reached', { headers: { 'retry-after': String(seconds) } });
}
