import {
  BeforeApplicationShutdown,
  Injectable,
  Logger,
  OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { KnowledgeBase } from './knowledge-base.entity.js';

/** How soon what failed, or what another process left, is tried. */
const INTERVAL_MS = 60_000;

/**
 * Removes what a room keeps for a deleted knowledge base, in batches of its own choosing; returns
 * early when `stopping`.
 */
export type PurgeStep = (kbId: string, stopping: () => boolean) => Promise<void>;

/**
 * Removes the rows of deleted knowledge bases in the background: one delete of everything would
 * hold up all other writing. What a stop leaves over is taken up at the next start.
 */
@Injectable()
export class KnowledgeBasePurge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(KnowledgeBasePurge.name);
  private readonly steps: PurgeStep[] = [];
  private running: Promise<void> = Promise.resolve();
  private stopping = false;
  private timer?: NodeJS.Timeout;

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

  private async purgeAll(): Promise<void> {
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
    for (const step of this.steps) await step(id, () => this.stopping);
    // A step that was stopped has left something over.
    if (this.stopping) return;
    await this.unitOfWork.run((manager) => manager.delete(KnowledgeBase, { id }));
  }
}
