import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { memoryDatabase } from '../../test/support/memory-database.js';
import type { EngineDataSource } from '../platform/database/engine-data-source.js';
import { SqliteUnitOfWork } from '../platform/database/sqlite-unit-of-work.js';
import type { UnitOfWork } from '../platform/database/unit-of-work.js';
import { JobQueue, type Lease } from './job-queue.js';
import { KnowledgeBase } from './knowledge-base.entity.js';
import { QueuedJob } from './queued-job.entity.js';

@Entity('letters')
class Letter {
  @PrimaryColumn('varchar') id: string;
  @Column('varchar') kbId: string;
  @Column('varchar') state: string;
}

const LEASE_MS = 30_000;
const MAX_PAUSE_MS = 60_000;
const NOW = new Date('2027-03-01T12:00:00Z');

class Letters extends JobQueue<Letter> {
  constructor(dataSource: EngineDataSource, unitOfWork: UnitOfWork, options = {}) {
    const limits = { leaseMs: LEASE_MS, maxPauseMs: MAX_PAUSE_MS, ...options };
    super(dataSource, unitOfWork, Letter, { name: 'letters', ...limits });
  }

  async next(): Promise<Lease<Letter> | undefined> {
    const [task] = await this.lease(1);
    return task?.[0];
  }

  async take(): Promise<Lease<Letter>> {
    const lease = await this.next();
    if (!lease) throw new Error('There is no letter to lease');
    return lease;
  }

  run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(work);
  }

  reclaimAt(now: Date): Promise<void> {
    return this.reclaim(now);
  }
}

describe(JobQueue, () => {
  let dataSource: EngineDataSource;
  let unitOfWork: SqliteUnitOfWork;
  /** Two processes share one queue. */
  let one: Letters;
  let other: Letters;

  beforeEach(async () => {
    dataSource = memoryDatabase(Letter);
    unitOfWork = new SqliteUnitOfWork(dataSource);
    await unitOfWork.onModuleInit();
    await dataSource.query(
      'CREATE TABLE letters (id varchar PRIMARY KEY, kb_id varchar, state varchar)',
    );
    [one, other] = [new Letters(dataSource, unitOfWork), new Letters(dataSource, unitOfWork)];
    for (const [id, createdBy] of [
      ['kb', 'alice'],
      ['kb_2', 'alice'],
      ['kb_of_bob', 'bob'],
    ]) {
      const times = { createdAt: NOW, updatedAt: NOW };
      const row = Object.assign(new KnowledgeBase(), { id, name: id, createdBy, ...times });
      await dataSource.manager.insert(KnowledgeBase, { ...row, state: 'active' });
    }
  });
  afterEach(async () => {
    jest.useRealTimers();
    await unitOfWork.onApplicationShutdown();
  });

  const add = (id: string, kbId = 'kb') =>
    one.run(async (manager) => {
      await manager.insert(Letter, { id, kbId, state: 'written' });
      await one.add(manager, id);
    });
  const queueAgain = (id: string) => one.run((manager) => one.add(manager, id));
  const end = (...leases: Lease<Letter>[]) => one.run((manager) => one.end(manager, leases));
  const release = (lease: Lease<Letter>, options = {}) =>
    one.run((manager) => one.release(manager, [lease], options));
  const find = (subjectId: string) => dataSource.manager.findOneBy(QueuedJob, { subjectId });
  const setDue = (subjectId: string, fromNowMs: number) => {
    const dueAt = new Date(Date.now() + fromNowMs);
    return one.run((manager) => manager.update(QueuedJob, { subjectId }, { dueAt }));
  };
  const idsOf = (leases: readonly (Lease<Letter> | undefined)[]) =>
    leases.map((lease) => lease?.row.id);

  it('gives a job to one process, until the lease expires', async () => {
    await add('a');
    const first = await one.take();
    expect(first).toMatchObject({ row: { id: 'a' }, job: { userId: 'alice', attempts: 1 } });
    expect(await find('a')).toMatchObject({ state: 'leased', lease: first.id });
    expect(await other.next()).toBeUndefined();
    await setDue('a', -1);
    expect(await other.next()).toMatchObject({ row: { id: 'a' }, job: { attempts: 2 } });
  });

  it('ends a job by its row, which a later one with the same subject replaces', async () => {
    await add('a');
    expect(await end(await one.take())).toEqual(new Set(['a']));
    expect(await find('a')).toBeNull();
    await queueAgain('a');
    expect((await other.take()).job.attempts).toBe(1);
  });

  it.each([
    ['ended and queued again', (held: Lease<Letter>) => end(held)],
    ['queued again', () => Promise.resolve(new Set<string>())],
  ])('changes nothing by the lease of a job that was %s', async (_, before) => {
    await add('a');
    const lost = await one.take();
    await before(lost);
    await queueAgain('a');
    const changes = [end(lost), release(lost), one.run((manager) => one.lockHeld(manager, [lost]))];
    expect(await Promise.all(changes)).toEqual([new Set(), new Set(), new Set()]);
    expect(await find('a')).toMatchObject({ state: 'waiting', attempts: 0 });
    const held = await other.take();
    expect(await end(lost)).toEqual(new Set());
    expect(await end(held)).toEqual(new Set(['a']));
  });

  it('changes nothing by a lease that has expired and was taken by another process', async () => {
    await add('a');
    await add('b', 'kb_2');
    const lost = [await one.take(), await one.take()];
    await setDue('a', -1);
    const held = await other.take();
    expect(await end(...lost)).toEqual(new Set(['b']));
    expect(await find('a')).toMatchObject({ state: 'leased', lease: held.id });
  });

  it.each([
    ['taken after', -2 * MAX_PAUSE_MS],
    ['renewed after', LEASE_MS + 1],
  ])('takes back no lease that was %s it began to look', async (_, fromNowMs) => {
    await add('a');
    const held = await one.take();
    await other.reclaimAt(new Date(Date.now() + fromNowMs));
    expect(await end(held)).toEqual(new Set(['a']));
  });

  it('removes the jobs of subjects, whose leases are lost', async () => {
    await add('a');
    await add('b', 'kb_2');
    await add('c', 'kb_2');
    const [held] = [await one.take(), await one.take()];
    await one.run((manager) => one.remove(manager, 'id', 'a'));
    expect(await end(held)).toEqual(new Set());
    await one.run((manager) => one.remove(manager, 'kb_id', 'kb_2'));
    expect(await dataSource.manager.count(QueuedJob)).toBe(0);
  });

  it('leases neither what is due later nor what is deleted', async () => {
    await add('later');
    await setDue('later', MAX_PAUSE_MS);
    await add('deleted');
    await one.run((manager) => manager.delete(Letter, { id: 'deleted' }));
    expect(await one.next()).toBeUndefined();
    expect(await find('deleted')).toBeNull();
    expect(await find('later')).not.toBeNull();
  });

  it('leases nothing of a knowledge base that is being deleted', async () => {
    await add('a');
    await dataSource.manager.update(KnowledgeBase, { id: 'kb' }, { state: 'deactivated' });
    expect(await one.next()).toBeUndefined();
    await dataSource.manager.delete(KnowledgeBase, { id: 'kb' });
    expect(await find('a')).toBeNull();
  });

  it.each(['waiting', 'leased'])(
    'leases what was %s before the clock was moved back',
    async (state) => {
      await add('a');
      if (state === 'leased') await one.take();
      await setDue('a', 2 * MAX_PAUSE_MS);
      expect(await other.next()).toBeDefined();
    },
  );

  it('lets a released job wait, behind others if it goes last, and without an attempt', async () => {
    await add('a');
    await add('b');
    await release(await one.take(), { goesLast: true, isUncounted: true, kind: 'slow' });
    const leases = [await one.take(), await one.take()];
    expect(idsOf(leases)).toEqual(['b', 'a']);
    expect(leases[1]?.job).toMatchObject({ kind: 'slow', attempts: 1 });
    for (const lease of leases) await release(lease, { pauseMs: MAX_PAUSE_MS });
    expect(await one.next()).toBeUndefined();
  });

  it('takes turns between users, and then between their knowledge bases', async () => {
    for (const id of ['a', 'b']) await add(id);
    await add('c', 'kb_2');
    await add('d', 'kb_of_bob');
    const leases: Lease<Letter>[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const lease = await one.take();
      leases.push(lease);
      await one.charge(lease, 10);
    }
    expect(idsOf(leases)).toEqual(['a', 'd', 'c', 'b']);
  });

  it('leaves places to other users, and one job of a knowledge base at a time', async () => {
    for (const id of ['a', 'b']) await add(id);
    await add('c', 'kb_2');
    await add('d', 'kb_of_bob');
    const limited = new Letters(dataSource, unitOfWork, { maxPerUser: 1 });
    const ended = Promise.withResolvers<undefined>();
    const kept = limited.keep([await limited.take()], () => ended.promise);
    expect(idsOf([await limited.next(), await limited.next()])).toEqual(['d', undefined]);
    const single = new Letters(dataSource, unitOfWork, { onePerKnowledgeBase: true });
    expect(idsOf([await single.next(), await single.next()])).toEqual(['c', undefined]);
    ended.resolve(undefined);
    await kept;
  });

  it('renews leases while their work runs, and no longer', async () => {
    await add('a');
    // Units of work that take long let others have a turn, by a timeout of their own.
    const real = ['setImmediate', 'nextTick', 'performance', 'Date', 'setTimeout'] as const;
    jest.useFakeTimers({ doNotFake: [...real] });
    const lease = await one.take();
    const work = Promise.withResolvers<undefined>();
    const kept = one.keep([lease], () => work.promise);
    await setDue('a', 1);
    jest.advanceTimersByTime(LEASE_MS / 3);
    // Units of work run one after the other, so the renewal has ended before this one begins.
    await one.run(() => Promise.resolve());
    expect(Number((await find('a'))?.dueAt)).toBeGreaterThan(Date.now() + LEASE_MS / 2);
    expect(await other.next()).toBeUndefined();
    work.resolve(undefined);
    await kept;
    expect(jest.getTimerCount()).toBe(0);
  });
});
