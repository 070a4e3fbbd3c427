import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { toQuarter } from './quarter.js';
import { UsageCount } from './usage-count.entity.js';
import { UsageMember } from './usage-member.entity.js';

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
