import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { ApiKey } from '../../api-keys/api-key.entity.js';
import { KeyHoldersController } from './key-holders.controller.js';
import { KeyHoldersService } from './key-holders.service.js';
import { ReplacedKeyUses } from './replaced-key-uses.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey]), ApiKeysModule],
  controllers: [KeyHoldersController],
  providers: [KeyHoldersService, ReplacedKeyUses],
  exports: [KeyHoldersService],
})
export class KeyHoldersModule {}
