import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Between, Repository } from 'typeorm';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../platform/jobs/job.js';
import { noticeSubject, EventNotices } from '../knowledge-bases/events/event-notices.js';
import { Events } from '../knowledge-bases/events/events.js';
import { toEventFields } from './api-key-transitions.js';
import { ApiKey } from './api-key.entity.js';

const INTERVAL_MS = 20_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const EVENT = 'api_key.expiring';
const BATCH = 100;

/**
 * The days before a key's expiry at which an event is recorded, and the day from which it is too late to
 * record it.
 */
const NOTICES = [
  { daysBefore: 7, untilDaysBefore: 1 },
  { daysBefore: 1, untilDaysBefore: 0 },
] as const;

/**
 * Records an event seven days and one day before a key expires, once each. A key that is created with less
 * time gets its event at once. No lease is needed: if several processes find the same key, only one of them
 * announces it.
 */
@Injectable()
export class ApiKeyExpiryNotices {
  constructor(
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
    private readonly notices: EventNotices,
  ) {}

  @Job({ every: INTERVAL_MS })
  async announceExpiries({ now, mayContinue }: JobRound): Promise<void> {
    const startedAt = (await now()).getTime();
    const inDays = (days: number) => new Date(startedAt + days * DAY_MS);
    for (const { daysBefore, untilDaysBefore } of NOTICES) {
      const period = [inDays(untilDaysBefore), inDays(daysBefore)] as const;
      let found: ApiKey[];
      do {
        found = await this.findUnannounced(daysBefore, ...period);
        for (const { id } of found) {
          if (!(await mayContinue())) return;
          await this.notify(id, daysBefore, ...period);
        }
      } while (found.length === BATCH);
    }
  }

  /** Finds active keys that expire in a period and have not been announced yet. */
  private findUnannounced(daysBefore: number, from: Date, to: Date): Promise<ApiKey[]> {
    const subject = `'${buildSubject('', daysBefore)}' || key.id`;
    return this.apiKeys
      .createQueryBuilder('key')
      .select('key.id')
      .where({ state: 'active', expiresAt: Between(from, to) })
      .andWhere(
        `NOT EXISTS (SELECT 1 FROM webhook_notices notice
          WHERE notice.subject = ${subject} AND notice.announced_at = key.expires_at)`,
      )
      .orderBy('key.expiresAt')
      .limit(BATCH)
      .getMany();
  }

  private async notify(id: string, daysBefore: number, from: Date, to: Date): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const key = await manager.findOneBy(ApiKey, {
        id,
        state: 'active',
        expiresAt: Between(from, to),
      });
      const expiresAt = key?.expiresAt;
      if (!expiresAt) return;
      const subject = buildSubject(id, daysBefore);
      if (!(await this.notices.announceOnce(manager, subject, expiresAt))) return;
      await this.events.record(manager, {
        ...{ kbId: key.ownerId, action: EVENT },
        data: { ...toEventFields(key), days_before: daysBefore },
      });
    });
  }
}

const buildSubject = (keyId: string, daysBefore: number) =>
  noticeSubject(EVENT, `${daysBefore} ${keyId}`);
