import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Column, DataSource, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { SqliteUnitOfWork } from '../database/sqlite-unit-of-work.js';
import { type Lease, LeasedQueue } from './leased-queue.js';

@Entity('letters')
class Letter {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') state: string;
  @Column({ type: 'datetime', name: 'due_at', nullable: true }) dueAt: Date | null;
  @Column('integer') lease: number;
}

const LEASE_MS = 30_000;
const MAX_PAUSE_MS = 60_000;

class Letters extends LeasedQueue<Letter> {
  constructor(unitOfWork: SqliteUnitOfWork) {
    const limits = { leaseMs: LEASE_MS, maxPauseMs: MAX_PAUSE_MS };
    super(unitOfWork, Letter, { ...limits, leased: { state: 'sending' } });
  }

  lease(...ids: string[]): Promise<Lease<Letter>[]> {
    return this.leaseDue(ids);
  }

  run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(work);
  }

  end(...leases: Lease<Letter>[]): Promise<number> {
    return this.run((manager) => this.change(manager, leases, { state: 'sent', dueAt: null }));
  }
}

describe(LeasedQueue.name, () => {
  let unitOfWork: SqliteUnitOfWork;
  /** Two processes share one queue. */
  let one: Letters;
  let other: Letters;

  beforeEach(async () => {
    const database = { type: 'better-sqlite3', database: ':memory:' } as const;
    unitOfWork = new SqliteUnitOfWork(
      new DataSource({ ...database, entities: [Letter], synchronize: true }),
    );
    await unitOfWork.onModuleInit();
    [one, other] = [new Letters(unitOfWork), new Letters(unitOfWork)];
  });
  afterEach(async () => {
    jest.useRealTimers();
    await unitOfWork.onApplicationShutdown();
  });

  const add = (id: string, dueInMs: number | null) =>
    one.run((manager) =>
      manager.insert(Letter, {
        ...{ id, state: 'waiting', lease: 0 },
        dueAt: dueInMs === null ? null : new Date(Date.now() + dueInMs),
      }),
    );
  const find = (id: string) => one.run((manager) => manager.findOneByOrFail(Letter, { id }));
  /** As if so much time had passed. */
  const passes = async (id: string, milliseconds: number) => {
    const { dueAt } = await find(id);
    const earlier = new Date(Number(dueAt) - milliseconds);
    await one.run((manager) => manager.update(Letter, { id }, { dueAt: earlier }));
  };

  it('gives a row to one process, until the lease expires', async () => {
    await add('a', 0);
    const [first] = await one.lease('a');
    expect(first).toMatchObject({ row: { id: 'a', state: 'waiting' }, number: 1 });
    expect(await find('a')).toMatchObject({ state: 'sending', lease: 1 });
    expect(await other.lease('a')).toEqual([]);
    await passes('a', LEASE_MS);
    expect(await other.lease('a')).toMatchObject([{ row: { state: 'sending' }, number: 2 }]);
  });

  it('changes nothing by a lease that is lost', async () => {
    await add('a', 0);
    await add('b', 0);
    const lost = await one.lease('a', 'b');
    await passes('a', LEASE_MS);
    const leases = await other.lease('a');
    expect(await one.end(...lost)).toBe(1);
    expect((await find('a')).state).toBe('sending');
    expect((await find('b')).state).toBe('sent');
    expect(await one.run((manager) => one.lockHeld(manager, [...lost, ...leases]))).toEqual(
      new Set(['a']),
    );
  });

  it('leases neither what is due later nor what is finished', async () => {
    await add('later', MAX_PAUSE_MS);
    await add('finished', null);
    expect(await one.lease('later', 'finished', 'deleted')).toEqual([]);
  });

  it('leases what was due, or leased, before the clock was moved back', async () => {
    await add('a', 2 * MAX_PAUSE_MS);
    expect(await one.lease('a')).toHaveLength(1);
  });

  it('renews leases while their work runs, and no longer', async () => {
    await add('a', 0);
    // Units of work that take long let others have a turn, by a timeout of their own.
    const real = ['setImmediate', 'nextTick', 'performance', 'Date', 'setTimeout'] as const;
    jest.useFakeTimers({ doNotFake: [...real] });
    const leases = await one.lease('a');
    const work = Promise.withResolvers<string>();
    const kept = one.keep(leases, () => work.promise);
    await passes('a', LEASE_MS);
    jest.advanceTimersByTime(LEASE_MS / 3);
    // Units of work run one after the other, so the renewal has ended before this one begins.
    expect(Number((await find('a')).dueAt)).toBeGreaterThan(Date.now() + LEASE_MS / 2);
    expect(await other.lease('a')).toEqual([]);
    work.resolve('done');
    expect(await kept).toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });
});
