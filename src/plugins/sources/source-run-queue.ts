import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { JobQueue, type Lease } from '../../knowledge-bases/job-queue.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type RunCounts, SourceRun } from './source-run.entity.js';

/** The time after which another process continues the run of one that died. */
const LEASE_MS = 20_000;
/** The pause after the database failed. */
const PAUSE_MS = 5000;
/** Runs per user at a time in one process. */
const MAX_OF_USER = 2;

/** The queue of unfinished runs. */
@Injectable()
export class SourceRunQueue extends JobQueue<SourceRun> {
  constructor(@InjectDataSource() dataSource: DataSource, unitOfWork: UnitOfWork) {
    super(dataSource, unitOfWork, SourceRun, {
      ...{ name: 'source_runs', queueable: 's.ended_at IS NULL' },
      ...{ leaseMs: LEASE_MS, maxPerUser: MAX_OF_USER },
    });
  }

  /** Stores the progress. @returns false if the lease is lost */
  report(lease: Lease<SourceRun>, counts: RunCounts): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const held = await this.lockHeld(manager, [lease]);
      for (const id of held) await manager.update(SourceRun, { id }, { counts });
      return held.size > 0;
    });
  }

  /** Gives a run back, for another process to continue. */
  async giveBack(lease: Lease<SourceRun>, counts: RunCounts, pauses: boolean): Promise<void> {
    const pause = pauses ? { pauseMs: PAUSE_MS } : {};
    await this.unitOfWork.run(async (manager) => {
      for (const id of await this.release(manager, [lease], pause)) {
        await manager.update(SourceRun, { id }, { counts });
      }
    });
  }
}
