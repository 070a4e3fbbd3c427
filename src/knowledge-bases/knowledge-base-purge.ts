import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { KnowledgeBase } from './knowledge-base.entity.js';

/** Removes what a room keeps for a deleted knowledge base, in batches of its own choosing. */
export type PurgeStep = (kbId: string) => Promise<void>;

/**
 * Removes the rows of deleted knowledge bases in the background: one delete of everything would
 * hold up all other writing. What a stop leaves over is taken up at the next start.
 */
@Injectable()
export class KnowledgeBasePurge implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(KnowledgeBasePurge.name);
  private readonly steps: PurgeStep[] = [];
  private running: Promise<void> = Promise.resolve();

  constructor(
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Called by rooms with much to remove; the rest goes by the database's cascade. */
  register(step: PurgeStep): void {
    this.steps.push(step);
  }

  start(): void {
    this.running = this.running
      .then(() => this.purgeAll())
      .catch((error: unknown) => {
        this.logger.error(error);
      });
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.running;
  }

  private async purgeAll(): Promise<void> {
    for (const { id } of await this.knowledgeBases.findBy({ state: 'deactivated' })) {
      for (const step of this.steps) await step(id);
      await this.unitOfWork.run((manager) => manager.delete(KnowledgeBase, { id }));
    }
  }
}
