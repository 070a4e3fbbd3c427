import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { BackgroundJob } from '../../platform/jobs/background-job.js';
import { JobLock } from '../../platform/jobs/job-lock.js';
import { SettingsService } from '../../knowledge-bases/settings/settings.service.js';
import { anonymizeEndUsersBefore } from '../../activity/usage/anonymize-end-users.js';
import { ConversationErasure } from './conversation-erasure.js';

const INTERVAL_MS = 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 200;

/**
 * Erases conversations a number of days after their last message, where the settings say so, and
 * makes end users anonymous who were last there before that.
 */
@Injectable()
export class RetentionService extends BackgroundJob {
  /** The day up to which each knowledge base's end users are anonymous: once a day is enough. */
  private readonly anonymousUntil = new Map<string, number>();

  constructor(
    private readonly settings: SettingsService,
    private readonly erasure: ConversationErasure,
    private readonly jobs: JobLock,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super(INTERVAL_MS);
  }

  protected override async run(): Promise<void> {
    const retentions = await this.settings.retentions();
    if (retentions.length === 0) return;
    await this.jobs.run('retention', this.signal, async (mayContinue) => {
      for (const { kbId, retentionDays } of retentions) {
        const before = new Date(Date.now() - retentionDays * DAY_MS);
        await this.erasure.eraseAll({ kbId, updatedAt: LessThan(before) }, mayContinue);
        await this.anonymizeEndUsers(kbId, before, mayContinue);
      }
    });
  }

  private async anonymizeEndUsers(
    kbId: string,
    before: Date,
    mayContinue: () => Promise<boolean>,
  ): Promise<void> {
    const day = Math.floor(before.getTime() / DAY_MS);
    if (this.anonymousUntil.get(kbId) === day) return;
    let found = BATCH;
    while (found === BATCH && (await mayContinue())) {
      found = await this.unitOfWork.run((manager) =>
        anonymizeEndUsersBefore(manager, kbId, before, BATCH),
      );
    }
    if (found < BATCH) this.anonymousUntil.set(kbId, day);
  }
}
