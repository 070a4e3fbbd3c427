import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, MoreThanOrEqual, Repository } from 'typeorm';
import { mergeRows } from '../usage/merge-rows.js';
import { insertRows } from '../platform/database/insert-rows.js';
import type { ApiKeyEvent } from './api-key-activity-writer.js';
import { toHour, ManagementKeyUse } from './management-key-use.entity.js';

type UseRow = Omit<ManagementKeyUse, 'apiKey'>;

/** Reads how much a key of a service account was used recently. */
@Injectable()
export class ManagementKeyUses {
  constructor(
    @InjectRepository(ManagementKeyUse) private readonly uses: Repository<ManagementKeyUse>,
  ) {}

  /** Counts requests since the hour that `time` falls in. */
  async requestsSince(apiKeyId: string, time: Date): Promise<number> {
    return (await this.uses.sum('requests', whereSince(apiKeyId, time))) ?? 0;
  }

  /** Counts different addresses since the hour that `time` falls in. */
  async addressesSince(apiKeyId: string, time: Date): Promise<number> {
    const row = await this.uses
      .createQueryBuilder('use')
      .select('COUNT(DISTINCT use.ip)', 'addresses')
      .where(whereSince(apiKeyId, time))
      .getRawOne<{ addresses: number | string }>();
    return Number(row?.addresses);
  }
}

const whereSince = (apiKeyId: string, time: Date) => ({
  apiKeyId,
  hour: MoreThanOrEqual(toHour(time)),
});

/** Adds the uses of keys that exist, in a fixed order, so that parallel transactions cannot deadlock. */
export async function countUses(
  manager: EntityManager,
  events: readonly ApiKeyEvent[],
): Promise<void> {
  const rows = events.flatMap((event): UseRow[] =>
    event.kind === 'use'
      ? [
          {
            apiKeyId: event.key.id,
            hour: toHour(event.at),
            ip: event.ip,
            requests: event.count,
          },
        ]
      : [],
  );
  const merged = mergeRows(rows, toRowKey, (one, { requests }) => ({
    ...one,
    requests: one.requests + requests,
  }));
  await insertRows(manager, ManagementKeyUse, merged, ADD_REQUESTS);
}

const toRowKey = ({ apiKeyId, hour, ip }: UseRow) => `${apiKeyId} ${hour} ${ip}`;

const ADD_REQUESTS = `ON CONFLICT (api_key_id, hour, ip)
  DO UPDATE SET requests = management_key_uses.requests + excluded.requests`;
