import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { requireTable } from '../platform/database/require-table.js';
import { deleteInBatches } from '../platform/database/row-batches.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../platform/jobs/job.js';
import { purgedTables, PurgesKnowledgeBase, type PurgeStep } from './declared-purges.js';
import { KnowledgeBase } from './knowledge-base.entity.js';
import { OwnedKeys } from './owned-keys.js';
import { roundRobin } from './round-robin.js';
import { toFairShare } from './fair-share-lookup.js';

/** The interval at which purges that failed, or that another process did not finish, are tried again. */
const INTERVAL_MS = 60_000;

/**
 * Removes the rows of deleted knowledge bases in the background, because deleting everything at once would
 * block all other writes. A shutdown interrupts it, and the next start continues.
 */
@Injectable()
export class KnowledgeBasePurge implements OnModuleInit {
  private readonly logger = new Logger(KnowledgeBasePurge.name);
  private steps: readonly PurgeStep[] = [];

  constructor(
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly discovery: DiscoveryService,
    private readonly unitOfWork: UnitOfWork,
    private readonly keys: OwnedKeys,
  ) {}

  onModuleInit(): void {
    const tables = [...purgedTables].map(([entity, condition]): PurgeStep => {
      const { target } = requireTable(this.dataSource, entity);
      return async (kbId, signal) => {
        await deleteInBatches(this.unitOfWork, target, condition, { kbId }, () => !signal.aborted);
      };
    });
    const providers = PurgesKnowledgeBase.find(this.discovery).map(
      ({ instance }): PurgeStep =>
        (kbId, signal) =>
          instance.purgeKnowledgeBase(kbId, signal),
    );
    this.steps = [...tables, ...providers];
  }

  /** One process at a time: two would take each other's rows, and each would believe that none are left. */
  @Job({ every: INTERVAL_MS, singleton: 'knowledge-base-purge' })
  async purgeDeleted(round: JobRound): Promise<void> {
    const deleted = await this.knowledgeBases.find({
      select: { id: true, createdBy: true },
      where: { state: 'deactivated' },
    });
    const toUserId = ({ id, createdBy }: KnowledgeBase) => toFairShare(id, createdBy).userId;
    for (const { id } of roundRobin(deleted, toUserId)) {
      if (!(await round.mayContinue())) return;
      // A failure must not keep the others from being removed. The next round tries again.
      await this.purge(id, round).catch((error: unknown) => {
        this.logger.error(error);
      });
    }
  }

  private async purge(id: string, { signal, mayContinue }: JobRound): Promise<void> {
    for (const step of this.steps) await step(id, signal);
    // An interrupted step may have left rows.
    if (!(await mayContinue())) return;
    await this.unitOfWork.run(async (manager) => {
      await manager.delete(KnowledgeBase, { id });
      await this.keys.deleteOf(manager, id);
    });
  }
}
