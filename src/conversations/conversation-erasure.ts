import { Injectable } from '@nestjs/common';
import { EntityManager, FindOptionsWhere, In } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import type { DashboardUser } from '../dashboard-auth/dashboard-user.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { forgetEndUser } from '../usage/forget-end-users.js';
import { Conversation } from './conversation.entity.js';

const BATCH = 200;

/** Removes conversations with all that hangs on them, in batches: other writing goes on between. */
@Injectable()
export class ConversationErasure {
  constructor(
    private readonly knowledgeBases: KnowledgeBaseAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly auditLog: AuditLog,
  ) {}

  /** Every trace of an end user; what was counted stays, and names nobody. */
  async eraseEndUser(user: DashboardUser, kbId: string, endUserId: string): Promise<void> {
    const where = { kbId, endUserId };
    const options = { role: 'member', lock: 'membership' } as const;
    // More than a batch is decided on here, and goes even if the user is removed meanwhile.
    const complete = await this.knowledgeBases.change(user, kbId, options, async (manager) => {
      // The record of it must not itself tell who it was. It comes first: nothing goes without one.
      await this.auditLog.record(manager, user, {
        kbId,
        action: 'conversations.erased',
        targetId: kbId,
        details: { conversations: await manager.countBy(Conversation, where) },
      });
      const erased = await eraseBatch(manager, where);
      await forgetEndUser(manager, kbId, endUserId);
      return erased < BATCH;
    });
    if (complete) return;
    await this.eraseAll(where);
    await this.unitOfWork.run((manager) => forgetEndUser(manager, kbId, endUserId));
  }

  /** @param goOn asked before each batch */
  async eraseAll(
    where: FindOptionsWhere<Conversation>,
    goOn: () => boolean | Promise<boolean> = () => true,
  ): Promise<void> {
    while (await goOn()) {
      const erased = await this.unitOfWork.run((manager) => eraseBatch(manager, where));
      if (erased < BATCH) break;
    }
  }
}

/** @returns how many it found; fewer than a batch when there are no more */
async function eraseBatch(
  manager: EntityManager,
  where: FindOptionsWhere<Conversation>,
): Promise<number> {
  const found = await manager.find(Conversation, { select: { id: true }, where, take: BATCH });
  if (found.length === 0) return 0;
  // One that goes on meanwhile no longer fits, and stays.
  await manager.delete(Conversation, { ...where, id: In(found.map(({ id }) => id)) });
  return found.length;
}
