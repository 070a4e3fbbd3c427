import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { InjectDataSource } from '@nestjs/typeorm';
import { Gauge } from 'prom-client';
import { DataSource, In, LessThan } from 'typeorm';
import { databaseNow } from '../../platform/database/database-now.js';
import { insertRows } from '../../platform/database/insert-rows.js';
import { deleteInBatches } from '../../platform/database/row-batches.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Job, type JobRound } from '../../platform/jobs/job.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { HOUR_MS } from '../../platform/jobs/retention.js';
import type { RunningJob } from '../../platform/jobs/running-job.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { Event } from './event.js';
import { EventPosition } from './event-position.entity.js';
import { ReadsEvents } from './event-reader.js';
import { EventReaderJob, POLL_INTERVAL_MS } from './event-reader-job.js';
import { Events } from './events.js';
import { RecordedEvent } from './recorded-event.entity.js';

/** How soon a process reads its own events. Events committed in the meantime are read with them. */
const WAKE_MS = 50;
/** After this time without its reader, a position is removed, and unread occurrences need not be kept. */
const MAX_ABSENCE_MS = 30 * 24 * HOUR_MS;

/** Runs the readers of events, each by itself: one that fails or is slow does not delay the others. */
@Injectable()
export class EventReaders implements OnModuleInit, OnApplicationBootstrap {
  private readers: readonly EventReaderJob[] = [];
  private readonly running = new Map<EventReaderJob, RunningJob>();
  private readonly committed = new Set<Event['action']>();
  private wakeTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly unitOfWork: UnitOfWork,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
    private readonly jobs: Jobs,
    private readonly events: Events,
  ) {}

  /** @throws Error if two readers have one name */
  onModuleInit(): void {
    const registers = [this.metrics.registry];
    const gauges = {
      lag: new Gauge({
        name: 'latchkey_event_reader_lag',
        help: 'Approximate number of events that a reader has not read yet.',
        labelNames: ['reader'],
        registers,
      }),
      age: new Gauge({
        name: 'latchkey_event_reader_oldest_seconds',
        help: 'The age of the oldest event that a reader has not read yet; 0 if it has read all.',
        labelNames: ['reader'],
        registers,
      }),
    };
    const readers = ReadsEvents.find(this.discovery).filter(
      ({ instance }) => instance.isEnabled !== false,
    );
    const names = readers.map(({ options }) => options.name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`Two readers of events have the name ${twice}`);
    this.readers = readers.map(
      ({ instance, options }) =>
        new EventReaderJob(instance, options, this.unitOfWork, this.dataSource, gauges),
    );
  }

  /** A new reader begins at the last event. */
  async onApplicationBootstrap(): Promise<void> {
    if (!Jobs.isEnabled || this.readers.length === 0) return;
    await this.unitOfWork.run(async (manager) => {
      const position = (await manager.maximum(RecordedEvent, 'seq')) ?? 0;
      const seenAt = await databaseNow(manager);
      const rows = this.readers.map(({ name }) => ({ name, position, seenAt }));
      const conflict = 'ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at';
      await insertRows(manager, EventPosition, rows, conflict);
    });
    for (const reader of this.readers) {
      const run = (_: object, round: JobRound) => reader.readNew(round);
      const job = this.jobs.add(reader, { every: POLL_INTERVAL_MS, run });
      if (job) this.running.set(reader, job);
    }
    this.events.onRecorded((actions) => {
      this.wake(actions);
    });
  }

  /** Soon starts the readers of these events. */
  wake(actions: ReadonlySet<Event['action']>): void {
    for (const action of actions) this.committed.add(action);
    this.wakeTimer ??= setTimeout(() => {
      this.wakeTimer = undefined;
      for (const [reader, job] of this.running) if (reader.reads(this.committed)) job.start();
      this.committed.clear();
    }, WAKE_MS).unref();
  }

  /** Removes occurrences that all readers have read. */
  @Job({ every: HOUR_MS, singleton: 'events' })
  async removeRead({ now, mayContinue }: JobRound): Promise<void> {
    const name = In(this.readers.map((reader) => reader.name));
    const seenAt = await now();
    if (!(await mayContinue())) return;
    const positions = await this.unitOfWork.run(async (manager) => {
      await manager.update(EventPosition, { name }, { seenAt });
      const absent = new Date(seenAt.getTime() - MAX_ABSENCE_MS);
      await manager.delete(EventPosition, { seenAt: LessThan(absent) });
      const last = (await manager.maximum(RecordedEvent, 'seq')) ?? 0;
      const positions = await manager.find(EventPosition);
      return [last, ...positions.map(({ position }) => position)];
    });
    const read = Math.min(...positions);
    const condition = 'actor IS NULL AND seq <= :read';
    const { unitOfWork } = this;
    const removed = deleteInBatches(unitOfWork, RecordedEvent, condition, { read }, mayContinue);
    this.metrics.removed.inc({ name: EventReaders.name }, (await removed).deleted);
  }
}
