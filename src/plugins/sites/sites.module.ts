import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { SettingsModule } from '../../knowledge-bases/settings/settings.module.js';
import { Challenges } from './challenges.js';
import { Site } from './site.entity.js';
import { SitePagesController } from './site-pages.controller.js';
import { SitesController } from './sites.controller.js';
import { SitesService } from './sites.service.js';
import { VisitorTokens } from './visitor-tokens.js';
import { VisitorsController } from './visitors.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([Site]), ApiKeysModule, KnowledgeBasesModule, SettingsModule],
  controllers: [SitesController, VisitorsController, SitePagesController],
  providers: [Challenges, SitesService, VisitorTokens],
})
export class SitesModule {}
