import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  HOUR_MS,
  type RetentionRound,
  type RetentionTask,
  RunForRetention,
} from '../../platform/jobs/retention.js';
import { lockForErasure } from '../../knowledge-bases/settings/legal-hold.js';
import { SettingsService } from '../../knowledge-bases/settings/settings.service.js';
import { anonymizeEndUsersBefore } from '../../activity/usage/anonymize-end-users.js';
import { ConversationErasure } from './conversation-erasure.js';

const DAY_MS = 24 * HOUR_MS;
const BATCH = 200;

/**
 * Erases conversations a number of days after their last message, if the settings say so, and anonymizes
 * end users whose last message is older than that.
 */
@Injectable()
@RunForRetention({ everyMs: 60_000 })
export class ConversationRetention implements RetentionTask {
  /** The day up to which the end users of each knowledge base are anonymized: once a day is enough. */
  private readonly anonymousUntil = new Map<string, number>();

  constructor(
    private readonly settings: SettingsService,
    private readonly erasure: ConversationErasure,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async removeEnded({ now, mayContinue }: RetentionRound): Promise<number> {
    let erased = 0;
    for (const { kbId, retentionDays } of await this.settings.retentions()) {
      const before = new Date(now.getTime() - retentionDays * DAY_MS);
      erased += await this.erasure.eraseAll(kbId, { updatedAt: LessThan(before) }, mayContinue);
      await this.anonymizeEndUsers(kbId, before, mayContinue);
    }
    return erased;
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
