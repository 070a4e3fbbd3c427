import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { KnowledgeBasesModule } from '../knowledge-bases/knowledge-bases.module.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { ApiKeyVerifier } from './api-key-verifier.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { Peppers } from './peppers.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey]), KnowledgeBasesModule],
  controllers: [ApiKeysController],
  providers: [
    ApiKeysService,
    ApiKeyVerifier,
    ApiKeyUsage,
    { provide: Peppers, inject: [Config], useFactory: (config: Config) => Peppers.load(config) },
  ],
  exports: [ApiKeyVerifier],
})
export class ApiKeysModule {}
