import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { declareProviders } from '../../platform/discovery/declared-providers.js';
import type { Actor, ChangeEvent, Event } from './event.js';

/** The id of an actor as it is shown. */
export const shownId = ({ id, writtenId }: Pick<Actor, 'id' | 'writtenId'>): string =>
  writtenId ?? id;

/** Receives each event in the transaction that recorded it, so that neither is committed alone. */
export interface EventReader {
  readEvent(manager: EntityManager, event: Event): Promise<void>;
}

/** Declares a provider that receives events. */
export const ReadsEvents = declareProviders<EventReader>();

/** Records events. Plugins subscribe to them. */
@Injectable()
export class Events implements OnModuleInit {
  private readers: readonly EventReader[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    this.readers = ReadsEvents.find(this.discovery).map(({ instance }) => instance);
  }

  /** Records a change in its transaction. */
  recordChange(
    manager: EntityManager,
    actor: Actor,
    { details = {}, ...change }: Omit<ChangeEvent, 'actor' | 'details'> & { details?: object },
  ): Promise<void> {
    return this.record(manager, { ...change, actor, details });
  }

  /** Records an event in the transaction in which it happens. */
  async record(manager: EntityManager, event: Event): Promise<void> {
    for (const reader of this.readers) await reader.readEvent(manager, event);
  }
}
