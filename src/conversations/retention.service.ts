import {
  BeforeApplicationShutdown,
  Injectable,
  Logger,
  OnApplicationBootstrap,
} from '@nestjs/common';
import { LessThan } from 'typeorm';
import { JobLock } from '../database/job-lock.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SettingsService } from '../settings/settings.service.js';
import { forgetEndUsersBefore } from '../usage/forget-end-users.js';
import { ConversationErasure } from './conversation-erasure.js';

const INTERVAL_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 200;

/**
 * Erases conversations so many days after their last message, where the settings say so, and what
 * tells one end user from another in what was counted.
 */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RetentionService.name);
  private running: Promise<void> = Promise.resolve();
  /** Up to which day each knowledge base's end users have been forgotten: once a day is enough. */
  private readonly forgotten = new Map<string, number>();
  private stopping = false;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly settings: SettingsService,
    private readonly erasure: ConversationErasure,
    private readonly jobs: JobLock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

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
      .then(() => this.eraseOld())
      .catch((error: unknown) => {
        this.logger.error(error);
      });
  }

  private async eraseOld(): Promise<void> {
    const retentions = await this.settings.retentions();
    if (retentions.length === 0 || this.stopping) return;
    await this.jobs.run('retention', async (hold) => {
      const goOn = async () => !this.stopping && (await hold());
      for (const { kbId, retentionDays } of retentions) {
        const before = new Date(Date.now() - retentionDays * DAY_MS);
        await this.erasure.eraseAll({ kbId, updatedAt: LessThan(before) }, goOn);
        await this.forgetEndUsers(kbId, before, goOn);
      }
    });
  }

  private async forgetEndUsers(
    kbId: string,
    before: Date,
    goOn: () => Promise<boolean>,
  ): Promise<void> {
    const day = Math.floor(before.getTime() / DAY_MS);
    if (this.forgotten.get(kbId) === day) return;
    let gone = BATCH;
    while (gone === BATCH && (await goOn())) {
      gone = await this.unitOfWork.run((manager) =>
        forgetEndUsersBefore(manager, kbId, before, BATCH),
      );
    }
    if (gone < BATCH) this.forgotten.set(kbId, day);
  }
}
