import { Injectable } from '@nestjs/common';
import { KnowledgeBasePurge } from '../knowledge-bases/knowledge-base-purge.js';
import { ConversationErasure } from './conversation-erasure.js';

/** Removes the conversations of a deleted knowledge base. */
@Injectable()
export class ConversationPurge {
  constructor(erasure: ConversationErasure, knowledgeBases: KnowledgeBasePurge) {
    knowledgeBases.register(async (kbId, signal) => {
      await erasure.eraseAll({ kbId }, () => !signal.aborted);
    });
  }
}
