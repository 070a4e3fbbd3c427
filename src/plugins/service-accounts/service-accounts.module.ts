import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ManagementKeys } from '../../knowledge-bases/dashboard-auth/management-keys.js';
import { KnowledgeBasesModule } from '../../knowledge-bases/knowledge-bases.module.js';
import { ManagementKeyAuthenticator } from './management-key-authenticator.js';
import { ManagementKeysController } from './management-keys.controller.js';
import { ServiceAccount } from './service-account.entity.js';
import { ServiceAccountsController } from './service-accounts.controller.js';
import { ServiceAccountsService } from './service-accounts.service.js';

/** It is global because the guards of the dashboard and of `GET /key` verify its keys. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([ServiceAccount]), KnowledgeBasesModule],
  controllers: [ServiceAccountsController, ManagementKeysController],
  providers: [
    ServiceAccountsService,
    ManagementKeyAuthenticator,
    { provide: ManagementKeys, useExisting: ManagementKeyAuthenticator },
  ],
  exports: [ManagementKeys],
})
export class ServiceAccountsModule {}
