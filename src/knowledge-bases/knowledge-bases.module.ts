import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEventsController } from './audit/audit-events.controller.js';
import { AccessSet } from './access-rules/access-set.entity.js';
import { AccessSetsController } from './access-rules/access-sets.controller.js';
import { AccessSetsService } from './access-rules/access-sets.service.js';
import { KnowledgeBaseAccess } from './knowledge-base-access.js';
import { KnowledgeBaseMember } from './knowledge-base-member.entity.js';
import { KnowledgeBasePurge } from './knowledge-base-purge.js';
import { KnowledgeBase } from './knowledge-base.entity.js';
import { KnowledgeBasesController } from './knowledge-bases.controller.js';
import { KnowledgeBasesService } from './knowledge-bases.service.js';
import { MembersController } from './members.controller.js';
import { OwnedKeys } from './owned-keys.js';
import { MembersService } from './members.service.js';
import { ResourceResolvers } from './resource-resolvers.js';
import { FairSharesModule } from './fair-shares.module.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([KnowledgeBase, KnowledgeBaseMember, AccessSet]),
    FairSharesModule,
  ],
  controllers: [
    KnowledgeBasesController,
    MembersController,
    AccessSetsController,
    AuditEventsController,
  ],
  providers: [
    ResourceResolvers,
    KnowledgeBaseAccess,
    KnowledgeBasesService,
    MembersService,
    OwnedKeys,
    AccessSetsService,
    KnowledgeBasePurge,
  ],
  // AccessGuard is created in the modules that use it.
  exports: [
    OwnedKeys,
    ResourceResolvers,
    KnowledgeBaseAccess,
    KnowledgeBasesService,
    MembersService,
    FairSharesModule,
  ],
})
export class KnowledgeBasesModule {}
