import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, Module, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { memoryDatabase } from '../../../test/support/memory-database.js';
import { Config } from '../../platform/config/config.js';
import { SqliteUnitOfWork } from '../../platform/database/sqlite-unit-of-work.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { JobLock } from '../../platform/jobs/job-lock.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Problem } from '../../platform/problems/problem.js';
import { EventPosition } from './event-position.entity.js';
import { type EventReader, ReadsEvents } from './event-reader.js';
import { EventReaders } from './event-readers.js';
import { Events } from './events.js';
import { RecordedEvent } from './recorded-event.entity.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const alice = { id: 'alice', requestId: 'request' };
const idle = () => new Promise((resolve) => setTimeout(resolve));

/** Keeps what it has read, once that is committed. */
abstract class KeptEvents implements EventReader {
  private readonly batches: RecordedEvent[][] = [];
  failsAt?: string | undefined;

  async read(manager: EntityManager, events: readonly RecordedEvent[]): Promise<void> {
    // Whatever it does takes a while.
    await manager.query('SELECT 1');
    if (events.some(({ targetId }) => targetId === this.failsAt)) throw new Error('refused');
    this.batches.push([...events]);
  }

  get targets(): (string | null)[] {
    return this.batches.flat().map(({ targetId }) => targetId);
  }
}

describe(EventReaders.name, () => {
  let dataSource: DataSource;
  let unitOfWork: SqliteUnitOfWork;
  let module: TestingModule | undefined;

  beforeEach(async () => {
    dataSource = memoryDatabase();
    unitOfWork = new SqliteUnitOfWork(dataSource);
    await unitOfWork.onModuleInit();
    jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  });
  afterEach(async () => {
    await stop();
    jest.restoreAllMocks();
    await dataSource.destroy();
  });

  /** Starts a process with these readers. */
  async function start(...readers: Type[]): Promise<void> {
    @Module({
      imports: [DiscoveryModule],
      providers: [
        ...[Events, EventReaders, Metrics, Jobs, JobLock, ...readers],
        { provide: Config, useValue: {} },
        { provide: UnitOfWork, useValue: unitOfWork },
        { provide: getDataSourceToken(), useValue: dataSource },
      ],
    })
    class TestedModule {}
    module = await Test.createTestingModule({ imports: [TestedModule] }).compile();
    const started = module.get(EventReaders);
    started.onModuleInit();
    await started.onApplicationBootstrap();
  }
  async function stop(): Promise<void> {
    await module?.get(Jobs).onModuleDestroy();
    module = undefined;
  }
  const get = <T>(type: Type<T>): T => {
    if (!module) throw new Error('Nothing was started');
    return module.get(type);
  };
  const record = (...targets: string[]) =>
    unitOfWork.run(async (manager) => {
      for (const targetId of targets) {
        const change = { kbId: 'kb_1', action: 'api_key.created', targetId } as const;
        await get(Events).recordChange(manager, alice, change);
      }
    });
  const until = async (holds: () => boolean | Promise<boolean>) => {
    while (!(await holds())) await idle();
  };
  const stored = async () => dataSource.manager.find(EventPosition, { order: { name: 'ASC' } });
  const metrics = () => get(Metrics).registry.metrics();
  /** @returns how many were removed */
  const removeRead = async (now = new Date()) => {
    const before = await dataSource.manager.count(RecordedEvent);
    await get(EventReaders).removeRead({
      now: () => Promise.resolve(now),
      mayContinue: () => Promise.resolve(true),
      signal: new AbortController().signal,
      begin: () => undefined,
    });
    return before - (await dataSource.manager.count(RecordedEvent));
  };

  it('read each event once, in order, from where they stopped', async () => {
    @Injectable()
    @ReadsEvents({ name: 'kept' })
    class Kept extends KeptEvents {}
    @Injectable()
    class Nobody {}
    await start(Nobody);
    await record('before the reader exists');
    await stop();
    await start(Kept);
    await record('a', 'b');
    await record('c');
    await until(() => get(Kept).targets.length === 3);
    expect(get(Kept).targets).toEqual(['a', 'b', 'c']);
    await stop();
    await start(Nobody);
    await record('d');
    await stop();
    await start(Kept);
    await until(() => get(Kept).targets.length === 1);
    expect(get(Kept).targets).toEqual(['d']);
  });

  it('read nothing that a transaction has rolled back, in whole or in part', async () => {
    @Injectable()
    @ReadsEvents({ name: 'kept' })
    class Kept extends KeptEvents {}
    await start(Kept);
    const refused = unitOfWork.run(async (manager) => {
      await get(Events).record(manager, { kbId: 'kb_1', action: 'message.rated' });
      throw new Problem('not_found');
    });
    await expect(refused).rejects.toThrow();
    await unitOfWork.run(async (manager) => {
      const change = (targetId: string) =>
        get(Events).recordChange(manager, alice, {
          ...{ kbId: 'kb_1', action: 'document.added', targetId },
        });
      const add = async (targetId: string) => {
        await change(targetId);
        if (targetId === 'refused') throw new Problem('not_found');
      };
      for (const targetId of ['a', 'refused', 'b']) {
        await unitOfWork.runPart(manager, () => add(targetId)).catch(() => undefined);
      }
    });
    await until(() => get(Kept).targets.length === 2);
    expect(get(Kept).targets).toEqual(['a', 'b']);
    expect(await dataSource.manager.count(RecordedEvent)).toBe(2);
  });

  it('lose nothing when one throws for ever, which metrics show, and the others go on', async () => {
    @Injectable()
    @ReadsEvents({ name: 'stuck' })
    class Stuck extends KeptEvents {
      override failsAt: string | undefined = 'c';
    }
    @Injectable()
    @ReadsEvents({ name: 'well' })
    class Well extends KeptEvents {}
    await start(Stuck, Well);
    const now = jest.spyOn(performance, 'now');
    const clock = performance.now.bind(performance);
    await record('a', 'b', 'c', 'd', 'e');
    await until(() => get(Well).targets.length === 5);
    let passed = 0;
    const wait = async (ms: number) => {
      const real = clock();
      passed += ms;
      now.mockImplementation(() => real + passed);
      get(EventReaders).wake(new Set());
      await idle();
    };
    await until(async () => {
      await wait(60_000);
      return get(Stuck).targets.length === 2;
    });
    expect(get(Stuck).targets).toEqual(['a', 'b']);
    await until(async () => {
      await wait(60_000);
      return (await metrics()).includes('latchkey_event_reader_lag{reader="stuck"} 3\n');
    });
    expect(await metrics()).toContain('latchkey_event_reader_lag{reader="well"} 0\n');
    expect(await metrics()).toMatch(
      /latchkey_event_reader_oldest_seconds\{reader="stuck"\} [\d.]+/,
    );
    get(Stuck).failsAt = undefined;
    await until(async () => {
      await wait(300_000);
      return get(Stuck).targets.length === 5;
    });
    expect(get(Stuck).targets).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('read only the events that they declare, and do not run if they are not enabled', async () => {
    @Injectable()
    @ReadsEvents({ name: 'deletions', of: ['api_key.deleted'] })
    class Deletions extends KeptEvents {}
    @Injectable()
    @ReadsEvents({ name: 'off' })
    class Off extends KeptEvents {
      readonly isEnabled = false;
    }
    await start(Deletions, Off);
    await record('a');
    await unitOfWork.run((manager) =>
      get(Events).recordChange(manager, alice, {
        ...{ kbId: 'kb_1', action: 'api_key.deleted', targetId: 'b' },
      }),
    );
    await until(() => get(Deletions).targets.length > 0);
    expect(get(Deletions).targets).toEqual(['b']);
    expect(await stored()).toMatchObject([{ name: 'deletions', position: 2 }]);
  });

  it('keep occurrences until all have read them, but not for one that is gone for a month', async () => {
    @Injectable()
    @ReadsEvents({ name: 'one' })
    class One extends KeptEvents {}
    @Injectable()
    @ReadsEvents({ name: 'other' })
    class Other extends KeptEvents {}
    await start(One, Other);
    await stop();
    await start(One);
    await unitOfWork.run((manager) =>
      get(Events).record(manager, { kbId: 'kb_1', action: 'message.rated' }),
    );
    await record('a');
    await until(() => get(One).targets.length === 2);
    await until(async () => (await stored())[0]?.position === 2);
    expect(await removeRead(new Date(Date.now() + 29 * DAY_MS))).toBe(0);
    expect(await removeRead(new Date(Date.now() + 31 * DAY_MS))).toBe(1);
    expect(await stored()).toMatchObject([{ name: 'one' }]);
    expect((await dataSource.manager.find(RecordedEvent)).map(({ targetId }) => targetId)).toEqual([
      'a',
    ]);
  });

  it('leave no occurrences behind where there is none', async () => {
    @Injectable()
    class Nobody {}
    await start(Nobody);
    await unitOfWork.run((manager) =>
      get(Events).record(manager, { kbId: 'kb_1', action: 'message.rated' }),
    );
    await record('a');
    expect(await removeRead()).toBe(1);
    expect(await dataSource.manager.count(RecordedEvent)).toBe(1);
  });

  it('prevent the start if two have one name', async () => {
    @Injectable()
    @ReadsEvents({ name: 'same' })
    class One extends KeptEvents {}
    @Injectable()
    @ReadsEvents({ name: 'same' })
    class Other extends KeptEvents {}
    await expect(start(One, Other)).rejects.toThrow('Two readers of events have the name same');
  });
});
