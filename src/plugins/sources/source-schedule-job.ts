import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, Not, Repository } from 'typeorm';
import { databaseNow } from '../../platform/database/database-now.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { nextRunAt } from './schedule.js';
import { SourceCredentials } from './source-credentials.js';
import { SourceRunJob } from './source-run-job.js';
import { SourceRuns } from './source-runs.js';
import { Source } from './source.entity.js';

const INTERVAL_MS = 5000;
const BATCH = 100;

/** Queues runs that are due, and encrypts credentials under the current pepper. */
@Injectable()
export class SourceScheduleJob extends BackgroundJob {
  constructor(
    @InjectRepository(Source) private readonly sources: Repository<Source>,
    private readonly unitOfWork: UnitOfWork,
    private readonly runs: SourceRuns,
    private readonly job: SourceRunJob,
    private readonly credentials: SourceCredentials,
  ) {
    super(INTERVAL_MS);
  }

  protected override async run(): Promise<void> {
    const now = await databaseNow(this.sources.manager);
    const due = await this.sources.find({
      where: { nextRunAt: LessThanOrEqual(now) },
      order: { nextRunAt: 'ASC' },
      take: BATCH,
    });
    for (const source of due) await this.queue(source, now);
    if (due.length > 0) this.job.start();
    if (due.length === BATCH) this.start();
    await this.moveToCurrentPepper();
  }

  private async queue(source: Source, now: Date): Promise<void> {
    const { id } = source;
    await this.unitOfWork.run(async (manager) => {
      const was = { id, nextRunAt: LessThanOrEqual(now) };
      const next = { nextRunAt: nextRunAt(source.schedule, now) };
      // Another process may have queued the run, or a user may have changed the schedule.
      const { affected } = await manager.update(Source, was, next);
      if (affected === 1) await this.runs.queueRun(manager, source, {});
    });
  }

  /** When this is done, the previous pepper can be removed from the configuration. */
  private async moveToCurrentPepper(): Promise<void> {
    const { pepperId } = this.credentials;
    for (const source of await this.sources.findBy({ pepperId: Not(pepperId) })) {
      const opened = this.credentials.open(source);
      if (!opened) continue;
      const { id, credentials } = source;
      const sealed = this.credentials.seal(id, opened);
      await this.unitOfWork.run((manager) =>
        manager.update(Source, { id, credentials: credentials ?? '' }, sealed),
      );
    }
  }
}
