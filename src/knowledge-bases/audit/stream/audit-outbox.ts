import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Config } from '../../../platform/config/config.js';
import { insertRows } from '../../../platform/database/insert-rows.js';
import { AuditOutboxEvent } from './audit-stream.entity.js';
import type { OcsfEvent } from './ocsf.js';

/** What is to be written to AUDIT_LOG; nothing where there is none. */
@Injectable()
export class AuditOutbox {
  readonly isOn: boolean;

  constructor({ AUDIT_LOG }: Config) {
    this.isOn = AUDIT_LOG !== undefined;
  }

  /** Runs in the transaction of the change, so that neither is committed without the other. */
  async add(manager: EntityManager, events: readonly OcsfEvent[]): Promise<void> {
    const rows = events.map((event) => ({ event: JSON.stringify(event) }));
    await insertRows(manager, AuditOutboxEvent, rows);
  }
}
