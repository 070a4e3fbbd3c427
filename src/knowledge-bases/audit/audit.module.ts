import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEvent } from './audit-event.entity.js';
import { AuditLog } from './audit-log.js';
import { FormerOwner } from './former-owner.entity.js';

/** Global, because every feature records its changes. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent, FormerOwner])],
  providers: [AuditLog],
  exports: [AuditLog],
})
export class AuditModule {}
