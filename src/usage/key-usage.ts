import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { toQuarter } from './quarter.js';
import { UsageCount } from './usage-count.entity.js';
import { UsageMember } from './usage-member.entity.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface DayOfRequests {
  readonly day: number;
  /** The requests that the key opened. */
  readonly requests: number;
  readonly refused: number;
}

/**
 * Reads how much a key was used recently. The kinds of rows are part of the SQL, because SQLite would not
 * use the partial indexes with a parameter.
 */
@Injectable()
export class KeyUsage {
  constructor(
    @InjectRepository(UsageCount) private readonly counts: Repository<UsageCount>,
    @InjectRepository(UsageMember) private readonly members: Repository<UsageMember>,
  ) {}

  /** Counts requests that the key opened, without those of the quarter hour that `time` falls in. */
  async requestsSince(apiKeyId: string, time: Date): Promise<number> {
    const row = await this.counts
      .createQueryBuilder('count')
      .select('COALESCE(SUM(count.uses), 0)', 'requests')
      .where(`count.period = 'quarter'`)
      .andWhere('count.apiKeyId = :apiKeyId AND count.atMs > :time', {
        apiKeyId,
        time: time.getTime(),
      })
      .getRawOne<{ requests: number | string }>();
    return Number(row?.requests);
  }

  /**
   * Counts requests by day, without days that have none.
   *
   * @param offsetMinutes how far the days' time zone is east of UTC
   * @returns the days as numbers since 1970
   */
  async requestsByDay(
    apiKeyId: string,
    time: Date,
    offsetMinutes: number,
  ): Promise<DayOfRequests[]> {
    // Whole numbers are divided without a remainder on both engines.
    const day = `(count.at_ms + ${offsetMinutes} * 60000) / ${DAY_MS}`;
    const rows = await this.counts
      .createQueryBuilder('count')
      .select(day, 'day')
      .addSelect('SUM(count.uses)', 'requests')
      .addSelect('SUM(count.refused)', 'refused')
      .where(`count.period = 'quarter'`)
      .andWhere('count.apiKeyId = :apiKeyId AND count.atMs >= :time', {
        apiKeyId,
        time: time.getTime(),
      })
      .groupBy(day)
      .orderBy('1')
      .getRawMany<Record<keyof DayOfRequests, number | string>>();
    return rows.map(({ day: number, requests, refused }) => ({
      day: Number(number),
      requests: Number(requests),
      refused: Number(refused),
    }));
  }

  /** Counts different addresses that used the key since the quarter hour that `time` falls in. */
  async addressesSince(apiKeyId: string, time: Date): Promise<number> {
    const row = await this.members
      .createQueryBuilder('usage')
      .select('COUNT(DISTINCT usage.member)', 'addresses')
      .where(`usage.kind = 'address'`)
      .andWhere('usage.apiKeyId = :apiKeyId AND usage.quarter >= :quarter', {
        apiKeyId,
        quarter: toQuarter(time),
      })
      .getRawOne<{ addresses: number | string }>();
    return Number(row?.addresses);
  }
}
