import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { KnowledgeBasesModule } from '../knowledge-bases/knowledge-bases.module.js';
import { SearchModule } from './search/search.module.js';
import { SettingsModule } from '../knowledge-bases/settings/settings.module.js';
import { ArchiveUploadService } from './archive-upload.service.js';
import { PassagePurge } from './passage-purge.js';
import { StalePassages } from './stale-passages.js';
import { PassageStore } from './passage-store.js';
import { Passage } from './passage.entity.js';
import { ClosedDocuments } from './closed-documents.js';
import { ContentMove } from './contents/content-move.js';
import { ContentPurge } from './contents/content-purge.js';
import { ContentStores } from './contents/content-stores.js';
import { DocumentContents } from './contents/document-contents.js';
import { StoredContent } from './contents/stored-content.entity.js';
import { DocumentLeases } from './document-leases.js';
import { DocumentContent } from './document-content.entity.js';
import { DocumentIndexer } from './document-indexer.js';
import { Document } from './document.entity.js';
import { DocumentQuotas } from './document-quotas.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentTitles } from './document-titles.js';
import { DocumentTransitions } from './document-transitions.js';
import { DocumentUploadService } from './document-upload.service.js';
import { DocumentsService } from './documents.service.js';
import { DocumentViews } from './document-views.js';
import { Extractor } from './ingestion/extractor.js';
import { OpenPassages } from './open-passages.js';
import { PageRecognition } from './recognition/page-recognition.js';
import { RecognisedPage } from './recognition/recognised-page.entity.js';
import { RecognitionServer } from './recognition/recognition-server.js';
import { RecognitionProcess } from './recognition/recognition-process.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';
import { IngestionQueue } from './ingestion-queue.js';
import { NeighbouringPassages } from './neighbouring-passages.js';
import { QueueMetrics } from './queue-metrics.js';
import { KeptVersions } from './version-keeper.js';
import { GroupCommit } from './group-commit.js';
import { AbandonedUploads } from './upload/abandoned-uploads.js';
import { UploadInterceptor } from './upload/upload.interceptor.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      Document,
      DocumentContent,
      StoredContent,
      Passage,
      RecognisedPage,
      KnowledgeBase,
    ]),
    KnowledgeBasesModule,
    SettingsModule,
    SearchModule,
    ApiKeysModule,
  ],
  controllers: [DocumentsController, IngestController],
  providers: [
    DocumentsService,
    DocumentViews,
    IngestService,
    DocumentUploadService,
    ArchiveUploadService,
    DocumentTransitions,
    DocumentLeases,
    DocumentIndexer,
    PassageStore,
    AbandonedUploads,
    GroupCommit,
    IngestionQueue,
    DocumentQuotas,
    QueueMetrics,
    PassagePurge,
    StalePassages,
    ContentStores,
    DocumentContents,
    ContentMove,
    ContentPurge,
    Extractor,
    RecognitionProcess,
    RecognitionServer,
    PageRecognition,
    UploadInterceptor,
    DocumentTitles,
    ClosedDocuments,
    NeighbouringPassages,
    OpenPassages,
    KeptVersions,
  ],
  exports: [
    ClosedDocuments,
    ContentStores,
    DocumentContents,
    DocumentsService,
    Extractor,
    PageRecognition,
    DocumentTitles,
    DocumentQuotas,
    DocumentTransitions,
    DocumentUploadService,
    NeighbouringPassages,
    OpenPassages,
    PassagePurge,
  ],
})
export class DocumentsModule {}
