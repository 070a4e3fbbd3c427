import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { classifyFailure, WriteQueueFullError } from './database-error.js';
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
    expect(classifyFailure(refused)).toBe('away');
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
    const count = () => {
      turns++;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    await Promise.all(Array.from({ length: 50 }, () => unitOfWork.run(nothing)));
    clearImmediate(immediate);
    expect(turns).toBeGreaterThanOrEqual(49);
  });
});

describe('units of work beside another process', () => {
  let directory: string;
  let unitOfWork: SqliteUnitOfWork;
  let other: Database.Database;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'unit-of-work-'));
    const database = join(directory, 'latchkey.sqlite');
    const writer = new DataSource({ type: 'better-sqlite3', database, timeout: 0 });
    unitOfWork = new SqliteUnitOfWork(writer);
    await unitOfWork.onModuleInit();
    other = new Database(database);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    jest.useRealTimers();
    other.close();
    await unitOfWork.onApplicationShutdown();
    rmSync(directory, { recursive: true });
  });

  /** As if so much time had passed. */
  const passes = (milliseconds: number) => {
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
  };

  it('wait for the lock as long after a long queue as without one', async () => {
    const first = Promise.withResolvers<undefined>();
    const running = unitOfWork.run(() => first.promise);
    const waiting = unitOfWork.run(nothing);
    await pause(0);
    passes(60_000);
    first.resolve(undefined);
    await running;
    other.exec('BEGIN IMMEDIATE');
    const answered = jest.fn();
    void waiting.then(answered, answered);
    await pause(20);
    expect(answered).not.toHaveBeenCalled();
    other.exec('COMMIT');
    await waiting;
  });

  it('all fail when the other process keeps the lock; the next one succeeds when it is released', async () => {
    other.exec('BEGIN IMMEDIATE');
    const units = Array.from({ length: 50 }, () => unitOfWork.run(nothing));
    const settled = Promise.allSettled(units);
    await pause(20);
    passes(60_000);
    for (const result of await settled) {
      const error: unknown = result.status === 'rejected' && result.reason;
      expect(classifyFailure(error)).toBe('away');
    }
    const next = unitOfWork.run(nothing);
    await pause(20);
    other.exec('COMMIT');
    await next;
  });

  it('leave it time to take the lock after many of them', async () => {
    const first = Promise.withResolvers<undefined>();
    const running = unitOfWork.run(() => first.promise);
    const waiting = unitOfWork.run(nothing);
    const answered = jest.fn();
    void waiting.then(answered, answered);
    await pause(0);
    passes(200);
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
    first.resolve(undefined);
    await running;
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    other.exec('BEGIN IMMEDIATE; COMMIT');
    expect(answered).not.toHaveBeenCalled();
    jest.runOnlyPendingTimers();
    await waiting;
  });

  it('have a whole turn after they have waited for the lock', async () => {
    other.exec('BEGIN IMMEDIATE');
    const first = Promise.withResolvers<undefined>();
    const begun = jest.fn(() => first.promise);
    const running = unitOfWork.run(begun);
    const waiting = unitOfWork.run(nothing);
    const answered = jest.fn();
    void waiting.then(answered, answered);
    await pause(0);
    // A slow machine must not use up the turn that is looked at.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 200);
    other.exec('COMMIT');
    while (begun.mock.calls.length === 0) await pause(1);
    first.resolve(undefined);
    await running;
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toHaveBeenCalled();
    await waiting;
  });
});
