import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Document } from '../../documents/document.entity.js';
import { DocumentsModule } from '../../documents/documents.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { SettingsModule } from '../../knowledge-bases/settings/settings.module.js';
import { ReplacedContents } from './replaced-contents.js';
import { VersionComparison } from './version-comparison.js';
import { VersionRestoring } from './version-restoring.js';
import { VersionRetention } from './version-retention.js';
import { VersionsController } from './versions.controller.js';
import { VersionsService } from './versions.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Document]),
    KnowledgeBasesModule,
    SettingsModule,
    DocumentsModule,
  ],
  controllers: [VersionsController],
  providers: [
    ReplacedContents,
    VersionsService,
    VersionComparison,
    VersionRestoring,
    VersionRetention,
  ],
})
export class DocumentVersionsModule {}
