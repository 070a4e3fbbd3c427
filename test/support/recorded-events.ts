import type { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import type { Event } from '../../src/knowledge-bases/events/event.js';
import { Events } from '../../src/knowledge-bases/events/events.js';

const WITHOUT_PROVIDERS = { getProviders: () => [] } as unknown as DiscoveryService;

/** The door for events, without a reader behind it. */
export class RecordedEvents extends Events {
  readonly recorded: Event[] = [];

  constructor() {
    super(WITHOUT_PROVIDERS);
  }

  override record(_manager: EntityManager, event: Event): Promise<void> {
    this.recorded.push(event);
    return Promise.resolve();
  }
}
