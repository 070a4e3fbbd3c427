import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { deleteInBatches } from '../../platform/database/row-batches.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { JobLock } from '../../platform/jobs/job-lock.js';
import { AuditEvent } from './audit-event.entity.js';
import { FormerOwner } from './former-owner.entity.js';

const INTERVAL_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes the events of knowledge bases that were deleted AUDIT_RETENTION_DAYS ago, hourly. */
@Injectable()
export class AuditRetention extends BackgroundJob {
  private readonly retentionMs: number;

  constructor(
    config: Config,
    @InjectRepository(FormerOwner) private readonly formerOwners: Repository<FormerOwner>,
    private readonly jobs: JobLock,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super(INTERVAL_MS);
    this.retentionMs = config.auditRetentionDays * DAY_MS;
  }

  protected override async run(): Promise<void> {
    const deletedAt = LessThan(new Date(Date.now() - this.retentionMs));
    if (!(await this.formerOwners.existsBy({ deletedAt }))) return;
    await this.jobs.run('audit-retention', this.signal, async (mayContinue) => {
      const owners = await this.formerOwners.findBy({ deletedAt });
      for (const kbId of new Set(owners.map((owner) => owner.kbId))) {
        await this.remove(kbId, mayContinue);
      }
    });
  }

  /** The owners last: while they exist, the next round goes on with an interrupted removal. */
  private async remove(kbId: string, mayContinue: () => Promise<boolean>): Promise<void> {
    const condition = 'kb_id = :kbId';
    if (await deleteInBatches(this.unitOfWork, AuditEvent, condition, { kbId }, mayContinue)) {
      await this.unitOfWork.run((manager) => manager.delete(FormerOwner, { kbId }));
    }
  }
}
