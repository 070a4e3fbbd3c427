import { AuditLog } from './audit-log.js';
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventNotices } from '../events/event-notices.js';
import { EventPosition } from '../events/event-position.entity.js';
import { EventReaders } from '../events/event-readers.js';
import { Events } from '../events/events.js';
import { RecordedEvent } from '../events/recorded-event.entity.js';
import { FormerOwner } from './former-owner.entity.js';
import { AuditChain } from './stream/audit-chain.js';
import { AuditNotes } from './stream/audit-notes.js';
import { AuditOutbox } from './stream/audit-outbox.js';
import { AuditBatch, AuditOutboxEvent } from './stream/audit-stream.entity.js';
import { AuditStreamJob } from './stream/audit-stream-job.js';
import { AuditStreamReader } from './stream/audit-stream-reader.js';

/** It is global because every feature records its changes. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([
      RecordedEvent,
      EventPosition,
      FormerOwner,
      AuditOutboxEvent,
      AuditBatch,
    ]),
  ],
  providers: [
    Events,
    EventReaders,
    AuditStreamReader,
    EventNotices,
    AuditLog,
    AuditOutbox,
    AuditChain,
    AuditStreamJob,
    AuditNotes,
  ],
  exports: [Events, EventNotices, AuditLog, AuditNotes],
})
export class AuditModule {}
