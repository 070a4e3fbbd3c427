import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { getDataSourceToken } from '@nestjs/typeorm';
import { DeclaredProviders } from '../discovery/declared-providers.js';
import { Job, type JobRound } from './job.js';
import { JobLock, type MayContinue } from './job-lock.js';
import { Jobs } from './jobs.js';
import { WorkQueue } from './work-queue.js';

const HOUR_MS = 60 * 60 * 1000;

/** A round, whose end is the test's. */
interface Round extends JobRound, PromiseWithResolvers<unknown> {}

@Injectable()
class Letters {
  readonly rounds: Round[] = [];
  hasEnded = false;

  @Job({ every: HOUR_MS, singleton: 'letters' })
  async write(round: JobRound): Promise<void> {
    if (this.hasEnded) return;
    const end = Promise.withResolvers();
    this.rounds.push({ ...round, ...end });
    await end.promise;
  }
}

@Injectable()
class Answers {
  readonly signals: AbortSignal[] = [];

  @Job({ every: HOUR_MS, untilAnswered: true })
  watch({ signal }: JobRound): Promise<void> {
    this.signals.push(signal);
    return Promise.resolve();
  }
}

@Injectable()
class Parcels extends WorkQueue<string> {
  readonly waiting = ['a', 'b', 'c', 'd'];
  readonly kept: string[] = [];

  override lease(room: number): Promise<string[]> {
    return Promise.resolve(this.waiting.splice(0, Math.min(room, 1)));
  }

  override async keep(task: string, work: () => Promise<void>): Promise<void> {
    this.kept.push(task);
    await work();
  }
}

@Injectable()
class Postman {
  readonly sent = new Map<string, PromiseWithResolvers<unknown>>();

  @Job({ every: HOUR_MS, queue: Parcels, concurrency: 2 })
  async send(parcel: string): Promise<void> {
    const end = Promise.withResolvers();
    this.sent.set(parcel, end);
    await end.promise;
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe(Jobs.name, () => {
  let module: TestingModule;
  let letters: Letters;
  let hasLease: boolean;

  beforeEach(async () => {
    hasLease = true;
    const lock = {
      run: (_: string, __: AbortSignal, work: (mayContinue: MayContinue) => Promise<void>) =>
        work(() => Promise.resolve(hasLease)),
    };
    module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      providers: [
        ...[Jobs, Letters, Answers, { provide: 'alias', useExisting: Letters }],
        { provide: JobLock, useValue: lock },
        { provide: getDataSourceToken(), useValue: {} },
      ],
    }).compile();
    letters = module.get(Letters);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    jest.useRealTimers();
    letters.hasEnded = true;
    for (const round of letters.rounds) round.resolve(undefined);
    await module.close();
  });

  const start = async () => {
    await module.init();
    await turn();
  };
  const startAgain = async () => {
    module.get(Jobs).start(Letters);
    await turn();
  };
  const end = async (index: number) => {
    letters.rounds[index]?.resolve(undefined);
    await turn();
  };

  it('does nothing where background work is disabled', async () => {
    Jobs.isEnabled = false;
    try {
      await start();
      await startAgain();
      expect(letters.rounds).toEqual([]);
    } finally {
      Jobs.isEnabled = true;
    }
  });

  it('runs at the start, and once more for all that ask while it runs', async () => {
    await start();
    await startAgain();
    await startAgain();
    expect(letters.rounds).toHaveLength(1);
    await end(0);
    expect(letters.rounds).toHaveLength(2);
    await end(1);
    expect(letters.rounds).toHaveLength(2);
    expect(module.get(Answers).signals).toHaveLength(1);
  });

  it('logs an error, and runs again when asked to', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    await start();
    letters.rounds[0]?.reject(new Error('the disk is full'));
    await turn();
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: 'the disk is full' }));
    await startAgain();
    expect(letters.rounds).toHaveLength(2);
  });

  it('repeats within a minute what failed, or what another process did', async () => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    await start();
    letters.rounds[0]?.reject(new Error('the disk is full'));
    await turn();
    jest.advanceTimersByTime(60_000);
    await turn();
    expect(letters.rounds).toHaveLength(2);
    hasLease = false;
    expect(await letters.rounds[1]?.mayContinue()).toBe(false);
    await end(1);
    jest.advanceTimersByTime(60_000);
    await turn();
    expect(letters.rounds).toHaveLength(3);
    await end(2);
    jest.advanceTimersByTime(60_000);
    await turn();
    expect(letters.rounds).toHaveLength(3);
  });

  it('stops by aborting its signal, waits for the round, and begins no other', async () => {
    await start();
    await startAgain();
    let stopped = false;
    const closed = module.close().then(() => (stopped = true));
    await turn();
    expect([letters.rounds[0]?.signal.aborted, stopped]).toEqual([true, false]);
    await end(0);
    await closed;
    expect(letters.rounds).toHaveLength(1);
  });

  it('waits for tasks, runs again after each, and a last time when all have ended', async () => {
    await start();
    const [one, other] = [Promise.withResolvers(), Promise.withResolvers()];
    letters.rounds[0]?.begin(() => one.promise.then(() => undefined));
    letters.rounds[0]?.begin(() => other.promise.then(() => undefined));
    await end(0);
    one.resolve(undefined);
    await turn();
    expect(letters.rounds).toHaveLength(2);
    await end(1);
    const closed = module.close();
    await turn();
    expect(letters.rounds).toHaveLength(2);
    other.resolve(undefined);
    await turn();
    expect(letters.rounds.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
    await end(2);
    await closed;
    expect(letters.rounds).toHaveLength(3);
  });

  it('goes on until all requests are answered with what is declared so', async () => {
    await start();
    await end(0);
    await module.get(Jobs).onModuleDestroy();
    const [signal] = module.get(Answers).signals;
    expect(signal?.aborted).toBe(false);
    await module.get(Jobs).onApplicationShutdown();
    expect(signal?.aborted).toBe(true);
  });

  const providersOf = (...classes: Type[]) => [
    ...[Jobs, ...classes],
    { provide: JobLock, useValue: {} },
    { provide: getDataSourceToken(), useValue: {} },
  ];
  const startWith = async (...classes: Type[]) => {
    const providers = providersOf(...classes);
    const other = await Test.createTestingModule({
      imports: [DiscoveryModule],
      providers,
    }).compile();
    await other.init();
    await turn();
    return other;
  };

  it('gives the tasks of a queue to its handler, a few at a time', async () => {
    const other = await startWith(Parcels, Postman);
    const { sent } = other.get(Postman);
    expect([...sent.keys()]).toEqual(['a', 'b']);
    sent.get('a')?.resolve(undefined);
    await turn();
    expect([...sent.keys()]).toEqual(['a', 'b', 'c']);
    expect(other.get(Parcels).kept).toEqual(['a', 'b', 'c']);
    const closed = other.close();
    for (const { resolve } of sent.values()) resolve(undefined);
    await closed;
    expect(other.get(Parcels).waiting).toEqual(['d']);
  });

  it('refuses to start with a queue that does not have exactly one handler', async () => {
    @Injectable()
    class OtherPostman extends Postman {
      @Job({ every: HOUR_MS, queue: Parcels, concurrency: 1 })
      override send(): Promise<void> {
        return Promise.resolve();
      }
    }
    await expect(startWith(Parcels)).rejects.toThrow('Parcels has 0 handlers, not 1');
    const both = startWith(Parcels, Postman, OtherPostman);
    await expect(both).rejects.toThrow('Parcels has 2 handlers, not 1');
  });

  it('refuses to start with two jobs that have one lease, since they would keep each other from running', async () => {
    @Injectable()
    class Cards {
      @Job({ every: HOUR_MS, singleton: 'letters' })
      write(): Promise<void> {
        return Promise.resolve();
      }
    }
    await expect(startWith(Letters, Cards)).rejects.toThrow(
      'The jobs of Letters and Cards both have the lease letters',
    );
  });

  it('refuses to start with a job of a class that is no provider', async () => {
    const other = Test.createTestingModule({
      imports: [DiscoveryModule],
      providers: [DeclaredProviders, Letters],
    });
    await expect((await other.compile()).init()).rejects.toThrow(
      'Answers is declared, but no provider',
    );
  });
});
