import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { isDatabaseUnavailable, WriteQueueFullError } from './database-error.js';
import { SqliteUnitOfWork } from './sqlite-unit-of-work.js';

const nothing = () => Promise.resolve();

describe(SqliteUnitOfWork.name, () => {
  let unitOfWork: SqliteUnitOfWork;

  beforeEach(async () => {
    unitOfWork = new SqliteUnitOfWork(
      new DataSource({ type: 'better-sqlite3', database: ':memory:' }),
    );
    await unitOfWork.onModuleInit();
  });

  afterEach(() => unitOfWork.onApplicationShutdown());

  it('runs one at a time, in the order of calls, and rolls back alone', async () => {
    const steps: string[] = [];
    const step = (name: string) =>
      unitOfWork.run(async (manager) => {
        steps.push(`${name} begins`);
        await manager.query('SELECT 1');
        steps.push(`${name} ends`);
        if (name === 'b') throw new Error('refused');
      });
    const results = await Promise.allSettled([step('a'), step('b'), step('c')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const inOrder = ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]);
    expect(steps).toEqual(inOrder);
  });

  it('refuses, as an unavailable database, what comes when 1,000 wait', async () => {
    const first = Promise.withResolvers<undefined>();
    const running = unitOfWork.run(() => first.promise);
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = Array.from({ length: 1000 }, () => unitOfWork.run(nothing));
    const refused: unknown = await unitOfWork.run(nothing).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WriteQueueFullError);
    expect(isDatabaseUnavailable(refused)).toBe(true);
    first.resolve(undefined);
    await Promise.all([running, ...waiting]);
    await unitOfWork.run(nothing);
  });

  it('recognizes a unit of work within one that had to wait', async () => {
    const nested = () => unitOfWork.run(() => unitOfWork.run(nothing));
    const results = await Promise.allSettled([unitOfWork.run(nothing), nested()]);
    expect(results).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }]);
  });

  it('gives other work of the event loop a turn between two', async () => {
    let turns = 0;
    const turn = setInterval(() => turns++, 0);
    await Promise.all(Array.from({ length: 50 }, () => unitOfWork.run(nothing)));
    clearInterval(turn);
    expect(turns).toBeGreaterThan(0);
  });
});
