import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { databaseNow } from '../../platform/database/database-now.js';
import { sqlParameter } from '../../platform/database/dialect.js';
import type { Event } from './event.js';
import { EventNotice } from './event-notice.entity.js';

/** The subject of a notice. Some callers also build it in SQL. */
export const noticeSubject = (event: Event['action'], targetId: string) => `${event} ${targetId}`;

/**
 * Limits events that are not reported every time. This works across processes: if several transactions
 * announce the same subject, one succeeds.
 */
@Injectable()
export class EventNotices {
  /** @returns false when the subject was reported less than `periodMs` ago */
  async announcePeriodic(
    manager: EntityManager,
    subject: string,
    periodMs: number,
  ): Promise<boolean> {
    const now = await databaseNow(manager);
    return announce(manager, subject, { announcedAt: null, now }, (parameter) => [
      `webhook_notices.told_at <= ${parameter}`,
      new Date(now.getTime() - periodMs),
    ]);
  }

  /** @returns false when the subject was already reported for this `announcedAt` */
  async announceOnce(manager: EntityManager, subject: string, announcedAt: Date): Promise<boolean> {
    const now = await databaseNow(manager);
    return announce(manager, subject, { announcedAt, now }, (parameter) => [
      `webhook_notices.announced_at <> ${parameter}`,
      announcedAt,
    ]);
  }
}

/** @param again the SQL condition, with a parameter, for reporting an earlier subject again */
async function announce(
  manager: EntityManager,
  subject: string,
  { announcedAt, now }: { announcedAt: Date | null; now: Date },
  again: (parameter: string) => [condition: string, value: Date],
): Promise<boolean> {
  const { dataSource } = manager;
  const { driver } = dataSource;
  const columns = dataSource.getMetadata(EventNotice).columns;
  const persisted = (name: keyof EventNotice, value: unknown): unknown => {
    const column = columns.find(({ propertyName }) => propertyName === name);
    return column ? driver.preparePersistentValue(value, column) : value;
  };
  const [condition, value] = again(sqlParameter(dataSource, 3));
  const parameter = (index: number) => sqlParameter(dataSource, index);
  const rows = await manager.query<unknown[]>(
    `INSERT INTO webhook_notices (subject, announced_at, told_at)
     VALUES (${parameter(0)}, ${parameter(1)}, ${parameter(2)})
     ON CONFLICT (subject) DO UPDATE
       SET announced_at = excluded.announced_at, told_at = excluded.told_at
       WHERE ${condition}
     RETURNING subject`,
    [
      subject,
      persisted('announcedAt', announcedAt),
      persisted('reportedAt', now),
      persisted('reportedAt', value),
    ],
  );
  return rows.length === 1;
}
