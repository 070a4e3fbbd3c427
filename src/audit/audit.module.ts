import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEvent } from './audit-event.entity.js';
import { AuditLog } from './audit-log.js';

/** Global, because every room that changes something records it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent])],
  providers: [AuditLog],
  exports: [AuditLog],
})
export class AuditModule {}
