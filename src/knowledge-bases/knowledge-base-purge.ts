import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityTarget, type ObjectLiteral, Repository } from 'typeorm';
import { deleteInBatches } from '../platform/database/row-batches.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { BackgroundJob } from '../platform/jobs/background-job.js';
import { JobLock } from '../platform/jobs/job-lock.js';
import { KnowledgeBase } from './knowledge-base.entity.js';
import { roundRobin } from './round-robin.js';
import { toTenant } from './tenant-lookup.js';

/** Until a purge that failed, or that another process did not finish, is tried again. */
const INTERVAL_MS = 60_000;

/**
 * Removes what a feature keeps for a deleted knowledge base, in batches; returns early when `signal`
 * is aborted.
 */
type PurgeStep = (kbId: string, signal: AbortSignal) => Promise<void>;

/**
 * Removes the rows of deleted knowledge bases in the background, since one delete of everything
 * would hold up all other writes. A stop interrupts it; the next start goes on.
 */
@Injectable()
export class KnowledgeBasePurge extends BackgroundJob {
  private readonly steps: PurgeStep[] = [];

  constructor(
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobLock,
  ) {
    super(INTERVAL_MS);
  }

  /** Called by features with many rows; the database's cascade deletes the others. */
  register(step: PurgeStep): void {
    this.steps.push(step);
  }

  /** @param condition SQL: which of its rows belong to the knowledge base `:kbId` */
  registerTable<T extends ObjectLiteral>(
    entity: EntityTarget<T>,
    condition = 'kb_id = :kbId',
  ): void {
    this.register(async (kbId, signal) => {
      await deleteInBatches(this.unitOfWork, entity, condition, { kbId }, () => !signal.aborted);
    });
  }

  protected override async run(): Promise<void> {
    const deleted = await this.knowledgeBases.find({
      select: { id: true, createdBy: true },
      where: { state: 'deactivated' },
    });
    if (deleted.length === 0) return;
    // Two processes would take each other's rows, and each would believe that no more are left.
    await this.jobs.run('knowledge-base-purge', this.signal, async (mayContinue) => {
      const userIdOf = ({ id, createdBy }: KnowledgeBase) => toTenant(id, createdBy).userId;
      for (const { id } of roundRobin(deleted, userIdOf)) {
        if (!(await mayContinue())) return;
        // A failure must not keep the others from being removed; the next round tries it again.
        await this.purge(id, mayContinue).catch((error: unknown) => {
          this.logger.error(error);
        });
      }
    });
  }

  private async purge(id: string, mayContinue: () => Promise<boolean>): Promise<void> {
    for (const step of this.steps) await step(id, this.signal);
    // An interrupted step may have left rows behind.
    if (!(await mayContinue())) return;
    await this.unitOfWork.run((manager) => manager.delete(KnowledgeBase, { id }));
  }
}
