import {
  BeforeApplicationShutdown,
  Injectable,
  Logger,
  OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { Config } from '../config/config.js';
import { JobLock } from '../database/job-lock.js';
import { deleteSome } from '../database/row-batches.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { AuditEvent } from './audit-event.entity.js';
import { FormerOwner } from './former-owner.entity.js';

const INTERVAL_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 1000;

/** Removes, hourly, the events of knowledge bases that were deleted so many days ago. */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AuditRetention.name);
  private readonly retentionMs: number;
  private running: Promise<void> = Promise.resolve();
  private stopping = false;
  private timer?: NodeJS.Timeout;

  constructor(
    config: Config,
    @InjectRepository(FormerOwner) private readonly formerOwners: Repository<FormerOwner>,
    private readonly jobs: JobLock,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.retentionMs = config.auditRetentionDays * DAY_MS;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.start();
    }, INTERVAL_MS);
    this.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  private start(): void {
    this.running = this.running
      .then(() => this.removeOld())
      .catch((error: unknown) => {
        this.logger.error(error);
      });
  }

  private async removeOld(): Promise<void> {
    const deletedAt = LessThan(new Date(Date.now() - this.retentionMs));
    if (this.stopping || !(await this.formerOwners.existsBy({ deletedAt }))) return;
    await this.jobs.run('audit-retention', async (hold) => {
      const mayContinue = async () => !this.stopping && (await hold());
      const owners = await this.formerOwners.findBy({ deletedAt });
      for (const kbId of new Set(owners.map((owner) => owner.kbId))) {
        await this.remove(kbId, mayContinue);
      }
    });
  }

  /** The owners last: as long as they are there, what was interrupted is taken up again. */
  private async remove(kbId: string, mayContinue: () => Promise<boolean>): Promise<void> {
    let removed = BATCH;
    while (removed === BATCH) {
      if (!(await mayContinue())) return;
      removed = await this.unitOfWork.run((manager) =>
        deleteSome(manager, AuditEvent, 'kb_id = :kbId', { kbId }, BATCH),
      );
    }
    await this.unitOfWork.run((manager) => manager.delete(FormerOwner, { kbId }));
  }
}
