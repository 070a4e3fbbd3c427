import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { KnowledgeBasePurge } from '../knowledge-bases/knowledge-base-purge.js';
import { Conversation } from './conversation.entity.js';

const BATCH = 200;

/** Removes the conversations of a deleted knowledge base, in batches. */
@Injectable()
export class ConversationPurge {
  constructor(
    @InjectRepository(Conversation) private readonly conversations: Repository<Conversation>,
    private readonly unitOfWork: UnitOfWork,
    knowledgeBases: KnowledgeBasePurge,
  ) {
    knowledgeBases.register((kbId, stopping) => this.removeKnowledgeBase(kbId, stopping));
  }

  private async removeKnowledgeBase(kbId: string, stopping: () => boolean): Promise<void> {
    while (!stopping()) {
      const batch = await this.conversations.find({
        select: { id: true },
        where: { kbId },
        take: BATCH,
      });
      if (batch.length === 0) return;
      const ids = batch.map(({ id }) => id);
      await this.unitOfWork.run((manager) => manager.delete(Conversation, { id: In(ids) }));
    }
  }
}
