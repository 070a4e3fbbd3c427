import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, Not, Repository } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { nextRunAt } from './schedule.js';
import { SourceCredentials } from './source-credentials.js';
import { SourceRunJob } from './source-run-job.js';
import { SourceRuns } from './source-runs.js';
import { Source } from './source.entity.js';

const INTERVAL_MS = 5000;
const BATCH = 100;

/** Queues runs that are due, and encrypts credentials under the current pepper. */
@Injectable()
export class SourceScheduleJob {
  constructor(
    @InjectRepository(Source) private readonly sources: Repository<Source>,
    private readonly unitOfWork: UnitOfWork,
    private readonly runs: SourceRuns,
    private readonly jobs: Jobs,
    private readonly credentials: SourceCredentials,
  ) {}

  @Job({ every: INTERVAL_MS })
  async queueDue(round: JobRound): Promise<void> {
    const now = await round.now();
    const due = await this.sources.find({
      where: { nextRunAt: LessThanOrEqual(now) },
      order: { nextRunAt: 'ASC' },
      take: BATCH,
    });
    for (const source of due) await this.queue(source, now);
    if (due.length > 0) this.jobs.start(SourceRunJob);
    if (due.length === BATCH) this.jobs.start(SourceScheduleJob);
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
