import { Module, type NestModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { FastifyInstance } from 'fastify';
import { Document } from '../../documents/document.entity.js';
import { DocumentsModule } from '../../documents/documents.module.js';
import { AccessGuard } from '../../knowledge-bases/access.guard.js';
import { DashboardAuthGuard } from '../../knowledge-bases/dashboard-auth/dashboard-auth.guard.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { SourceRun } from '../sources/source-run.entity.js';
import { Source } from '../sources/source.entity.js';
import { SourcesModule } from '../sources/sources.module.js';
import { KnowledgeGuard } from './knowledge.guard.js';
import { OikbDocuments } from './oikb-documents.js';
import { OikbRuns } from './oikb-runs.js';
import { OikbService } from './oikb.service.js';
import { OikbTargets } from './oikb-targets.js';
import { OpenWebUiController } from './open-webui.controller.js';
import { RefusedFile } from './refused-file.entity.js';
import { RefusedFiles } from './refused-files.js';
import { acceptUploadPath } from './upload-path.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Document, Source, SourceRun, RefusedFile]),
    KnowledgeBasesModule,
    DocumentsModule,
    SourcesModule,
  ],
  controllers: [OpenWebUiController],
  providers: [
    DashboardAuthGuard,
    AccessGuard,
    KnowledgeGuard,
    OikbTargets,
    OikbService,
    OikbDocuments,
    OikbRuns,
    RefusedFiles,
  ],
})
export class OpenWebUiModule implements NestModule {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Nest calls it before it registers the routes. */
  configure(): void {
    acceptUploadPath(this.host.httpAdapter.getInstance<FastifyInstance>());
  }
}
