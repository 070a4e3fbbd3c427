import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBasesModule } from '../knowledge-bases/knowledge-bases.module.js';
import { ConversationPurge } from './conversation-purge.js';
import { Conversation } from './conversation.entity.js';
import { ConversationsController } from './conversations.controller.js';
import { ConversationsService } from './conversations.service.js';
import { Message } from './message.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Conversation, Message]), KnowledgeBasesModule],
  controllers: [ConversationsController],
  providers: [ConversationsService, ConversationPurge],
  exports: [ConversationsService],
})
export class ConversationsModule {}
