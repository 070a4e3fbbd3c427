import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { HOUR_MS } from '../../platform/jobs/retention.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { lockForErasure } from '../../knowledge-bases/settings/legal-hold.js';
import { SettingsService } from '../../knowledge-bases/settings/settings.service.js';
import { anonymizeEndUsersBefore } from '../../usage/anonymize-end-users.js';
import { ConversationErasure } from './conversation-erasure.js';

const INTERVAL_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
const BATCH = 200;

/**
 * Erases conversations a number of days after their last message, if the settings say so, and anonymizes
 * end users whose last message is older than that.
 */
@Injectable()
export class ConversationRetention {
  /** The day up to which the end users of each knowledge base are anonymized: once a day is enough. */
  private readonly anonymousUntil = new Map<string, number>();

  constructor(
    private readonly settings: SettingsService,
    private readonly erasure: ConversationErasure,
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: Metrics,
  ) {}

  @Job({ every: INTERVAL_MS, singleton: 'conversation-retention' })
  async eraseEnded({ now, mayContinue }: JobRound): Promise<void> {
    const startedAt = (await now()).getTime();
    for (const { kbId, retentionDays } of await this.settings.retentions()) {
      const before = new Date(startedAt - retentionDays * DAY_MS);
      const ended = { updatedAt: LessThan(before) };
      const erased = await this.erasure.eraseAll(kbId, ended, mayContinue);
      this.metrics.removed.inc({ name: ConversationRetention.name }, erased);
      await this.anonymizeEndUsers(kbId, before, mayContinue);
    }
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
      found = await this.unitOfWork.run(async (manager) => {
        await lockForErasure(manager, kbId);
        return anonymizeEndUsersBefore(manager, kbId, before, BATCH);
      });
    }
    if (found < BATCH) this.anonymousUntil.set(kbId, day);
  }
}
