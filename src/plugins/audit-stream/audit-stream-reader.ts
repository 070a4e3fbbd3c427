import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CHANGES } from '../../knowledge-bases/events/event.js';
import { type EventReader, ReadsEvents } from '../../knowledge-bases/events/event-reader.js';
import {
  isChange,
  type RecordedEvent,
} from '../../knowledge-bases/events/recorded-event.entity.js';
import { AuditOutbox } from './audit-outbox.js';
import { changeToOcsf } from './ocsf.js';

/** Queues changes for AUDIT_LOG. */
@Injectable()
@ReadsEvents({ name: 'audit-stream', of: CHANGES })
export class AuditStreamReader implements EventReader {
  readonly isEnabled: boolean;

  constructor(private readonly outbox: AuditOutbox) {
    this.isEnabled = outbox.isOn;
  }

  read(manager: EntityManager, events: readonly RecordedEvent[]): Promise<void> {
    return this.outbox.add(manager, events.filter(isChange).map(changeToOcsf));
  }
}
