import { AuditLog } from './audit-log.js';
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEvent } from './audit-event.entity.js';
import { EventNotices } from '../events/event-notices.js';
import { Events } from '../events/events.js';
import { FormerOwner } from './former-owner.entity.js';
import { AuditChain } from './stream/audit-chain.js';
import { AuditNotes } from './stream/audit-notes.js';
import { AuditOutbox } from './stream/audit-outbox.js';
import { AuditBatch, AuditOutboxEvent } from './stream/audit-stream.entity.js';
import { AuditStreamJob } from './stream/audit-stream-job.js';

/** It is global because every feature records its changes. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent, FormerOwner, AuditOutboxEvent, AuditBatch])],
  providers: [Events, EventNotices, AuditLog, AuditOutbox, AuditChain, AuditStreamJob, AuditNotes],
  exports: [Events, EventNotices, AuditLog, AuditNotes],
})
export class AuditModule {}
