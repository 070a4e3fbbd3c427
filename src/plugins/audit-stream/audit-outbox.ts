import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Config } from '../../platform/config/config.js';
import { insertRows } from '../../platform/database/insert-rows.js';
import { redactDeep } from '../../platform/http/redact.js';
import { AuditOutboxEvent } from './audit-stream.entity.js';
import type { OcsfEvent } from './ocsf.js';

/** The events that wait to be written to AUDIT_LOG. It is empty if there is no AUDIT_LOG. */
@Injectable()
export class AuditOutbox {
  readonly isOn: boolean;

  constructor({ AUDIT_LOG }: Config) {
    this.isOn = AUDIT_LOG !== undefined;
  }

  /** Adds events in the transaction of the caller. */
  async add(manager: EntityManager, events: readonly OcsfEvent[]): Promise<void> {
    const rows = events.map((event) => ({ event: JSON.stringify(redactDeep(event)) }));
    await insertRows(manager, AuditOutboxEvent, rows);
  }
}

/** The approximate number of events to seal: their numbers may have gaps. */
export async function waitingEvents(manager: EntityManager): Promise<number> {
  const row = await manager
    .createQueryBuilder(AuditOutboxEvent, 'event')
    .select('MAX(event.number) - MIN(event.number) + 1', 'count')
    .getRawOne<{ count: number | null }>();
  return row?.count ?? 0;
}
