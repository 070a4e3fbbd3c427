import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { AcceptedInvitations } from './accepted-invitations.js';
import { Invitation } from './invitation.entity.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsService } from './invitations.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Invitation]), ApiKeysModule, KnowledgeBasesModule],
  controllers: [InvitationsController],
  providers: [InvitationsService, AcceptedInvitations],
})
export class InvitationsModule {}
