import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Document } from '../../documents/document.entity.js';
import { DocumentsModule } from '../../documents/documents.module.js';
import { KnowledgeBase } from '../../knowledge-bases/knowledge-base.entity.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { SettingsModule } from '../../knowledge-bases/settings/settings.module.js';
import { ConnectionTests } from './connection-tests.js';
import { SourceConnections } from './source-connections.js';
import { SourceCredentials } from './source-credentials.js';
import { SourceDocuments } from './source-documents.js';
import { SourceFolders } from './source-folders.js';
import { SourceKinds } from './source-kinds.js';
import { SourceMetrics } from './source-metrics.js';
import { SourceRunJob } from './source-run-job.js';
import { SourceRunQueue } from './source-run-queue.js';
import { SourceRun } from './source-run.entity.js';
import { SourceRunsService } from './source-runs.service.js';
import { SourceRuns } from './source-runs.js';
import { SourceScheduleJob } from './source-schedule-job.js';
import { SourceSync } from './source-sync.js';
import { Source } from './source.entity.js';
import { SourcesController } from './sources.controller.js';
import { SourcesService } from './sources.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Source, SourceRun, Document, KnowledgeBase]),
    KnowledgeBasesModule,
    SettingsModule,
    DocumentsModule,
  ],
  controllers: [SourcesController],
  providers: [
    SourcesService,
    SourceRunsService,
    SourceFolders,
    SourceKinds,
    ConnectionTests,
    SourceConnections,
    SourceCredentials,
    SourceDocuments,
    SourceRuns,
    SourceRunQueue,
    SourceRunJob,
    SourceScheduleJob,
    SourceSync,
    SourceMetrics,
  ],
  exports: [SourcesService, SourceDocuments, SourceRuns],
})
export class SourcesModule {}
