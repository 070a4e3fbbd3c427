import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatModule } from '../../chat/chat.module.js';
import { Document } from '../../documents/document.entity.js';
import { DocumentsModule } from '../../documents/documents.module.js';
import { SearchModule } from '../../documents/search/search.module.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { CitedCuratedAnswers } from './cited-curated-answers.js';
import { CuratedAnswer } from './curated-answer.entity.js';
import { CuratedAnswering } from './curated-answering.js';
import { CuratedAnswersController } from './curated-answers.controller.js';
import { CuratedAnswersService } from './curated-answers.service.js';
import { CuratedQuestions } from './curated-questions.js';
import { CuratedVectors } from './curated-vectors.js';
import { DocumentPassages } from './document-passages.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([CuratedAnswer, Document, KnowledgeBase]),
    KnowledgeBasesModule,
    SearchModule,
    DocumentsModule,
    ChatModule,
  ],
  controllers: [CuratedAnswersController],
  providers: [
    CitedCuratedAnswers,
    CuratedAnswering,
    CuratedQuestions,
    CuratedVectors,
    CuratedAnswersService,
    DocumentPassages,
  ],
  exports: [CuratedQuestions],
})
export class CuratedAnswersModule {}
