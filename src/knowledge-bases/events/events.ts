import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { lockName } from '../../platform/database/dialect.js';
import { insertRows } from '../../platform/database/insert-rows.js';
import { type Collection, UnitOfWork } from '../../platform/database/unit-of-work.js';
import { newId } from '../../platform/http/type-id.js';
import type { Actor, ChangeEvent, Event } from './event.js';
import { EVENTS_LOCK } from './event-reader.js';
import { RecordedEvent } from './recorded-event.entity.js';

/** The id of an actor as it is shown. */
export const shownId = ({ id, writtenId }: Pick<Actor, 'id' | 'writtenId'>): string =>
  writtenId ?? id;

type NewEvent = Omit<RecordedEvent, 'seq'>;

/**
 * Records events, each as one row. The rows are written right before their transaction commits. Then it has
 * all the locks that it waits for, so the events of changes that depend on each other have the order of
 * these changes.
 */
@Injectable()
export class Events implements Collection<NewEvent> {
  private readonly listeners: ((actions: ReadonlySet<Event['action']>) => void)[] = [];

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Calls `listener` with the actions of the events of each transaction of this process, once committed. */
  onRecorded(listener: (actions: ReadonlySet<Event['action']>) => void): void {
    this.listeners.push(listener);
  }

  /** Records a change in its transaction. */
  recordChange(
    manager: EntityManager,
    actor: Actor,
    { details = {}, ...change }: Omit<ChangeEvent, 'actor' | 'details'> & { details?: object },
  ): Promise<void> {
    return this.record(manager, { ...change, actor, details });
  }

  /** Records an event in the transaction in which it happens, so that neither is committed alone. */
  record(manager: EntityManager, event: Event): Promise<void> {
    const { kbId, action, actor, targetId, details, data } = event;
    this.unitOfWork.collect<NewEvent>(manager, this, {
      ...{ id: newId('audit'), kbId, action, createdAt: new Date() },
      actor: actor ? shownId(actor) : null,
      targetId: targetId ?? null,
      requestId: actor?.requestId ?? null,
      details: details ?? null,
      data: data ?? null,
    });
    return Promise.resolve();
  }

  /** Returns the position of the last event that is committed. */
  async findLastPosition(manager: EntityManager): Promise<number> {
    return (await manager.maximum(RecordedEvent, 'seq')) ?? 0;
  }

  /** The lock shows readers that positions were given to events that are not committed yet. */
  async write(manager: EntityManager, events: readonly NewEvent[]): Promise<void> {
    await lockName(manager, EVENTS_LOCK, 'shared');
    await insertRows(manager, RecordedEvent, events);
  }

  onCommitted(events: readonly NewEvent[]): void {
    const actions = new Set(events.map(({ action }) => action));
    for (const listener of this.listeners) listener(actions);
  }
}
