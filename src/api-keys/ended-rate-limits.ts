import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../platform/jobs/job.js';
import { HOUR_MS } from '../platform/jobs/retention.js';
import { Metrics } from '../platform/metrics/metrics.js';

/** Removes counts of requests in PostgreSQL whose window ended an hour ago. */
@Injectable()
export class EndedRateLimits {
  constructor(
    private readonly config: Config,
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: Metrics,
  ) {}

  @Job({ every: HOUR_MS })
  async removeEnded({ now }: JobRound): Promise<void> {
    if (!this.config.postgres) return;
    const before = (await now()).getTime() - HOUR_MS;
    const [, deleted] = await this.unitOfWork.run((manager) =>
      manager.query<[unknown, number]>('DELETE FROM rate_limits WHERE expire < $1', [before]),
    );
    this.metrics.removed.inc({ name: EndedRateLimits.name }, deleted);
  }
}
