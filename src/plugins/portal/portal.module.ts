import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { KeyHoldersModule } from '../key-holders/key-holders.module.js';
import { PortalController } from './portal.controller.js';
import { PortalLink } from './portal-link.entity.js';
import { PortalLinksController } from './portal-links.controller.js';
import { PortalLinksService } from './portal-links.service.js';
import { PortalPageController } from './portal-page.controller.js';
import { PortalService } from './portal.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([PortalLink]),
    ApiKeysModule,
    KnowledgeBasesModule,
    KeyHoldersModule,
  ],
  controllers: [PortalController, PortalLinksController, PortalPageController],
  providers: [PortalLinksService, PortalService],
})
export class PortalModule {}
