import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { KnowledgeBasesModule } from '../knowledge-bases/knowledge-bases.module.js';
import { SearchModule } from '../search/search.module.js';
import { ChunkPurge } from './chunk-purge.js';
import { Chunk } from './chunk.entity.js';
import { DocumentContent } from './document-content.entity.js';
import { Document } from './document.entity.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentsService } from './documents.service.js';
import { Extractor } from './extraction/extractor.js';
import { IngestionService } from './ingestion.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Document, DocumentContent, Chunk]),
    KnowledgeBasesModule,
    SearchModule,
  ],
  controllers: [DocumentsController],
  providers: [DocumentsService, IngestionService, ChunkPurge, Extractor],
})
export class DocumentsModule {}
