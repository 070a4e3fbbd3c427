import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChatModule } from '../../chat/chat.module.js';
import { Document } from '../../documents/document.entity.js';
import { DocumentsModule } from '../../documents/documents.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { SettingsModule } from '../../knowledge-bases/settings/settings.module.js';
import { EvaluationQuestion } from './evaluation-question.entity.js';
import { EvaluationQueue } from './evaluation-queue.js';
import { EvaluationRunner } from './evaluation-runner.js';
import { Evaluation } from './evaluation.entity.js';
import { EvaluationsController } from './evaluations.controller.js';
import { EvaluationsService } from './evaluations.service.js';
import { ExternalIds } from './external-ids.js';
import { QuestionEvaluator } from './question-evaluator.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Document, Evaluation, EvaluationQuestion]),
    KnowledgeBasesModule,
    SettingsModule,
    DocumentsModule,
    ChatModule,
  ],
  controllers: [EvaluationsController],
  providers: [
    EvaluationsService,
    EvaluationQueue,
    EvaluationRunner,
    ExternalIds,
    QuestionEvaluator,
  ],
})
export class EvaluationsModule {}
