import { Events } from '../../knowledge-bases/events/events.js';
import { Injectable } from '@nestjs/common';
import { EntityManager, FindOptionsWhere, In } from 'typeorm';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import { PurgesKnowledgeBase } from '../../knowledge-bases/declared-purges.js';
import { lockForErasure, requireNoLegalHold } from '../../knowledge-bases/settings/legal-hold.js';
import { anonymizeEndUser } from '../../usage/anonymize-end-users.js';
import { Conversation } from './conversation.entity.js';
import { whereEndUser } from './of-end-user.js';

const BATCH = 200;

type Where = FindOptionsWhere<Omit<Conversation, 'kbId'>>;

/**
 * Deletes conversations with their messages and feedback, in batches, so that other transactions can
 * write in between.
 */
@Injectable()
@PurgesKnowledgeBase()
export class ConversationErasure {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: Events,
  ) {}

  async purgeKnowledgeBase(kbId: string, signal: AbortSignal): Promise<void> {
    await this.eraseAll(kbId, {}, () => !signal.aborted);
  }

  /**
   * Deletes every trace of an end user. The counts stay, without a reference to the end user.
   *
   * @throws Problem `legal_hold`, also if the hold begins between two batches
   */
  async eraseEndUser(user: DashboardUser, kbId: string, endUserId: string): Promise<void> {
    const where = whereEndUser(endUserId);
    const options = { role: 'member', lock: 'knowledge base' } as const;
    // This commits the decision: later batches are erased even if the user loses access.
    const complete = await this.knowledgeBases.change(user, kbId, options, async (manager) => {
      await requireNoLegalHold(manager, kbId);
      // The audit event must not name the end user. It is written first, so that nothing is erased without
      // an event.
      await this.events.recordChange(manager, user, {
        kbId,
        action: 'conversations.erased',
        targetId: kbId,
        details: { conversations: await manager.countBy(Conversation, within(kbId, where)) },
      });
      const erased = await eraseBatch(manager, within(kbId, where));
      await anonymizeEndUser(manager, kbId, endUserId);
      return erased < BATCH;
    });
    if (complete) return;
    await this.eraseAll(kbId, where);
    await this.unitOfWork.run(async (manager) => {
      await lockForErasure(manager, kbId);
      await anonymizeEndUser(manager, kbId, endUserId);
    });
  }

  /**
   * @param where the condition, or several of which one must hold
   * @param mayContinue asked before each batch
   * @returns how many were found
   * @throws Problem `legal_hold`
   */
  async eraseAll(
    kbId: string,
    where: Where | readonly Where[],
    mayContinue: () => boolean | Promise<boolean> = () => true,
  ): Promise<number> {
    let total = 0;
    while (await mayContinue()) {
      const erased = await this.unitOfWork.run(async (manager) => {
        await lockForErasure(manager, kbId);
        return eraseBatch(manager, within(kbId, where));
      });
      total += erased;
      if (erased < BATCH) break;
    }
    return total;
  }
}

const within = (kbId: string, where: Where | readonly Where[]): FindOptionsWhere<Conversation>[] =>
  [where].flat().map((one) => ({ ...one, kbId }));

/** @returns how many were found; fewer than a batch when there are no more */
async function eraseBatch(
  manager: EntityManager,
  where: FindOptionsWhere<Conversation>[],
): Promise<number> {
  const found = await manager.find(Conversation, { select: { id: true }, where, take: BATCH });
  if (found.length === 0) return 0;
  // A conversation that was continued in the meantime no longer meets the condition and stays.
  const id = In(found.map((one) => one.id));
  const erased = where.map((one) => ({ ...one, id }));
  await manager.createQueryBuilder().delete().from(Conversation).where(erased).execute();
  return found.length;
}
