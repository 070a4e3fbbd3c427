import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { EntityManager, Repository, SelectQueryBuilder } from 'typeorm';
import { newId } from '../http/type-id.js';
import { AuditAction, AuditEvent } from './audit-event.entity.js';

/** Who acts, in which request. A DashboardUser is one. */
export interface Actor {
  readonly id: string;
  readonly requestId: string;
}

export interface AuditEntry {
  readonly kbId: string;
  readonly action: AuditAction;
  readonly targetId: string;
  /** What changed, in names and numbers; never a secret. */
  readonly details?: object;
}

@Injectable()
export class AuditLog {
  constructor(@InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>) {}

  /** Writes in the transaction of the change itself: neither is kept without the other. */
  async record(manager: EntityManager, actor: Actor, entry: AuditEntry): Promise<void> {
    await manager.insert(AuditEvent, {
      ...entry,
      id: newId('audit'),
      actor: actor.id,
      requestId: actor.requestId,
      createdAt: new Date(),
      details: entry.details ?? {},
    });
  }

  of(kbId: string): SelectQueryBuilder<AuditEvent> {
    return this.events.createQueryBuilder('event').where({ kbId });
  }
}
