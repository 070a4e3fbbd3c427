import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { BackgroundJob } from '../jobs/background-job.js';
import { KnowledgeBase } from './knowledge-base.entity.js';

/** How soon what failed, or what another process left, is tried. */
const INTERVAL_MS = 60_000;

/**
 * Removes what a room keeps for a deleted knowledge base, in batches of its own choosing; returns
 * early when `signal` is aborted.
 */
export type PurgeStep = (kbId: string, signal: AbortSignal) => Promise<void>;

/**
 * Removes the rows of deleted knowledge bases in the background: one delete of everything would
 * hold up all other writing. What a stop leaves over is taken up at the next start.
 */
@Injectable()
export class KnowledgeBasePurge extends BackgroundJob {
  private readonly steps: PurgeStep[] = [];

  constructor(
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super(INTERVAL_MS);
  }

  /** Called by rooms with much to remove; the rest goes by the database's cascade. */
  register(step: PurgeStep): void {
    this.steps.push(step);
  }

  protected override async run(): Promise<void> {
    for (const { id } of await this.knowledgeBases.find({
      select: { id: true },
      where: { state: 'deactivated' },
    })) {
      // One that cannot be removed now is tried again, and holds up no other.
      await this.purge(id).catch((error: unknown) => {
        this.logger.error(error);
      });
    }
  }

  private async purge(id: string): Promise<void> {
    for (const step of this.steps) await step(id, this.signal);
    // A step that was stopped has left something over.
    if (this.signal.aborted) return;
    await this.unitOfWork.run((manager) => manager.delete(KnowledgeBase, { id }));
  }
}
