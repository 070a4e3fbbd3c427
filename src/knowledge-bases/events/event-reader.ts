import type { EntityManager } from 'typeorm';
import { declareProviders } from '../../platform/discovery/declared-providers.js';
import type { Event } from './event.js';
import type { RecordedEvent } from './recorded-event.entity.js';

/** Reads events in their order. */
export interface EventReader {
  /** False if the configuration does not need the reader. */
  readonly isEnabled?: boolean;
  /**
   * Reads the next events, in the transaction that also stores how far the reader has come: what it writes
   * with `manager`, it writes once for each event. After an exception both are rolled back, and the same
   * events come again.
   */
  read(manager: EntityManager, events: readonly RecordedEvent[]): Promise<void>;
}

export interface EventReaderOptions {
  /** The name under which the database keeps how far the reader has come. */
  readonly name: string;
  /** The events that it reads; by default all. */
  readonly of?: readonly Event['action'][];
}

/** Declares a provider that reads events. */
export const ReadsEvents = declareProviders<EventReader, EventReaderOptions>();

/**
 * The lock that transactions share from writing their events until they end. Whoever holds it alone knows
 * that no position is missing which may still appear.
 */
export const EVENTS_LOCK = 'events';
