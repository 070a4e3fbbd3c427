import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { StoredContent } from '../../documents/contents/stored-content.entity.js';
import { Document } from '../../documents/document.entity.js';
import { DocumentsModule } from '../../documents/documents.module.js';
import { Passage } from '../../documents/passage.entity.js';
import { AccessGuard } from '../../knowledge-bases/access.guard.js';
import { DashboardAuthGuard } from '../../knowledge-bases/dashboard-auth/dashboard-auth.guard.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { ContentDownload } from './content-download.js';
import { DrawingTurns } from './drawing-turns.js';
import { OriginalGuard } from './original.guard.js';
import { OriginalLinks } from './original-links.js';
import { OriginalsController } from './originals.controller.js';
import { OriginalsService } from './originals.service.js';
import { PageViews } from './page-views.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Document, Passage, StoredContent]),
    KnowledgeBasesModule,
    DocumentsModule,
  ],
  controllers: [OriginalsController],
  providers: [
    DashboardAuthGuard,
    AccessGuard,
    OriginalGuard,
    OriginalLinks,
    OriginalsService,
    ContentDownload,
    DrawingTurns,
    PageViews,
  ],
})
export class OriginalsModule {}
