import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { toComparableName } from '@latchkey/text/person-name';
import { IsNull, Repository } from 'typeorm';
import { joinUsageAsWritten } from '../../activity/usage/join-usage.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { Conversation, IS_WITHOUT_COMPARED_NAME } from './conversation.entity.js';

const INTERVAL_MS = 60_000;
const BATCH = 500;

/** A NameRepair for conversations and the usage of their end users. */
@Injectable()
export class ConversationNameRepair {
  constructor(
    @InjectRepository(Conversation) private readonly conversations: Repository<Conversation>,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Job({ every: INTERVAL_MS, singleton: 'conversation-name-repair' })
  async repairAll({ mayContinue }: JobRound): Promise<void> {
    // Usually there are none, and nothing is written.
    if ((await this.find(1)).length === 0) return;
    while (await mayContinue()) {
      const found = await this.find(BATCH);
      if (found.length === 0) return;
      await this.repair(found);
      await setImmediate();
    }
  }

  private find(limit: number): Promise<Conversation[]> {
    return this.conversations
      .createQueryBuilder('conversation')
      .select(['conversation.id', 'conversation.kbId', 'conversation.endUserId'])
      .where(IS_WITHOUT_COMPARED_NAME)
      .orderBy('conversation.id')
      .limit(limit)
      .getMany();
  }

  private async repair(found: readonly Conversation[]): Promise<void> {
    await this.unitOfWork.run(async (manager) => {
      const users = new Map<string, readonly [kbId: string, endUserId: string]>();
      for (const { id, kbId, endUserId } of found) {
        if (endUserId === null) continue;
        const unnamed = { id, endUserId, comparedEndUserId: IsNull() };
        const named = { comparedEndUserId: toComparableName(endUserId) };
        await manager.update(Conversation, unnamed, named);
        users.set(JSON.stringify([kbId, endUserId]), [kbId, endUserId]);
      }
      for (const [kbId, endUserId] of users.values()) {
        await joinUsageAsWritten(manager, kbId, endUserId);
      }
    });
  }
}
