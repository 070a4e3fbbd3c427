import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatModule } from '../../chat/chat.module.js';
import { ConversationsModule } from '../../chat/conversations/conversations.module.js';
import { CuratedAnswer } from '../curated-answers/curated-answer.entity.js';
import { CuratedAnswersModule } from '../curated-answers/curated-answers.module.js';
import { SearchModule } from '../../documents/search/search.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { AskedTopics } from './asked-topics.js';
import { GapsController } from './gaps.controller.js';
import { GapsService } from './gaps.service.js';
import { QuestionVectors } from './question-vectors.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([CuratedAnswer]),
    KnowledgeBasesModule,
    SearchModule,
    ConversationsModule,
    ChatModule,
    CuratedAnswersModule,
  ],
  controllers: [GapsController],
  providers: [AskedTopics, QuestionVectors, GapsService],
})
export class GapsModule {}
