import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import {
  HOUR_MS,
  type RetentionRound,
  type RetentionTask,
  RunForRetention,
} from '../platform/jobs/retention.js';

/** Removes counts of requests in PostgreSQL whose minute ended an hour ago. */
@Injectable()
@RunForRetention({})
export class EndedRateLimits implements RetentionTask {
  constructor(
    private readonly config: Config,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async removeEnded({ now }: RetentionRound): Promise<number> {
    if (!this.config.postgres) return 0;
    const [, deleted] = await this.unitOfWork.run((manager) =>
      manager.query<[unknown, number]>('DELETE FROM rate_limits WHERE expire < $1', [
        now.getTime() - HOUR_MS,
      ]),
    );
    return deleted;
  }
}
