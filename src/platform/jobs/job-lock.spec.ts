import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { SqliteUnitOfWork } from '../database/sqlite-unit-of-work.js';
import { JobLease } from './job-lease.entity.js';
import { JobLock } from './job-lock.js';

const JOB = 'purge';

describe(JobLock.name, () => {
  let unitOfWork: SqliteUnitOfWork;
  /** Two processes share one database. */
  let one: JobLock;
  let other: JobLock;
  const running = new AbortController().signal;

  beforeEach(async () => {
    const database = { type: 'better-sqlite3', database: ':memory:' } as const;
    unitOfWork = new SqliteUnitOfWork(
      new DataSource({ ...database, entities: [JobLease], synchronize: true }),
    );
    await unitOfWork.onModuleInit();
    [one, other] = [new JobLock(unitOfWork), new JobLock(unitOfWork)];
  });
  afterEach(() => unitOfWork.onApplicationShutdown());

  const expire = () =>
    unitOfWork.run((manager) => manager.update(JobLease, { job: JOB }, { expiresAt: new Date(0) }));

  const mayBegin = async (lock: JobLock) => {
    let may = false;
    await lock.run(JOB, running, async (mayContinue) => {
      may = await mayContinue();
    });
    return may;
  };

  it('lets one process run a job, and the next one afterwards', async () => {
    await one.run(JOB, running, async (mayContinue) => {
      expect(await mayContinue()).toBe(true);
      expect(await mayBegin(other)).toBe(false);
      expect(await mayContinue()).toBe(true);
    });
    expect(await mayBegin(other)).toBe(true);
  });

  it('takes no lease before it is asked, and asks again while another process has it', async () => {
    await one.run(JOB, running, async (mayContinue) => {
      expect(await mayBegin(other)).toBe(true);
      await other.run(JOB, running, async (otherMayContinue) => {
        expect(await otherMayContinue()).toBe(true);
        expect(await mayContinue()).toBe(false);
      });
      expect(await mayContinue()).toBe(true);
    });
  });

  it('lets no process go on whose lease another has had, also when that is done', async () => {
    await one.run(JOB, running, async (mayContinue) => {
      expect(await mayContinue()).toBe(true);
      await expire();
      expect(await mayContinue()).toBe(true);
      await expire();
      expect(await mayBegin(other)).toBe(true);
      expect(await mayContinue()).toBe(false);
      expect(await mayContinue()).toBe(false);
    });
  });

  it('lets none begin, or go on, that is stopping', async () => {
    const stopping = new AbortController();
    await one.run(JOB, stopping.signal, async (mayContinue) => {
      expect(await mayContinue()).toBe(true);
      stopping.abort();
      expect(await mayContinue()).toBe(false);
    });
    await one.run(JOB, stopping.signal, async (mayContinue) => {
      expect(await mayContinue()).toBe(false);
    });
  });
});
