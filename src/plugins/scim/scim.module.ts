import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DirectoryGroup } from './directory-group.entity.js';
import { DirectoryUser } from './directory-user.entity.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { Directory } from './directory.js';
import { DirectoryQuota } from './directory-quota.js';
import { ScimGroups } from './scim-groups.js';
import { ScimUsers } from './scim-users.js';
import { ScimController } from './scim.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([DirectoryUser, DirectoryGroup]), KnowledgeBasesModule],
  controllers: [ScimController],
  providers: [Directory, ScimUsers, ScimGroups, DirectoryQuota],
})
export class ScimModule {}
