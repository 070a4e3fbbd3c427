import type { EntityManager } from 'typeorm';
import type { Event } from '../../src/knowledge-bases/events/event.js';
import { Events } from '../../src/knowledge-bases/events/events.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';

/** The door for events, without a database behind it. */
export class RecordedEvents extends Events {
  readonly recorded: Event[] = [];

  constructor() {
    super({} as UnitOfWork);
  }

  override record(_manager: EntityManager, event: Event): Promise<void> {
    this.recorded.push(event);
    return Promise.resolve();
  }
}
