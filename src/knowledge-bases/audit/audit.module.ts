import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventNotices } from '../events/event-notices.js';
import { EventPosition } from '../events/event-position.entity.js';
import { EventReaders } from '../events/event-readers.js';
import { Events } from '../events/events.js';
import { RecordedEvent } from '../events/recorded-event.entity.js';
import { AuditLog } from './audit-log.js';
import { FormerOwner } from './former-owner.entity.js';

/** It is global because every feature records its changes. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([RecordedEvent, EventPosition, FormerOwner])],
  providers: [Events, EventReaders, EventNotices, AuditLog],
  exports: [Events, EventNotices, AuditLog],
})
export class AuditModule {}
