import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BackgroundJob } from './background-job.js';

/** Its rounds end, or fail, when the test says so. */
class ControlledJob extends BackgroundJob {
  readonly rounds: PromiseWithResolvers<unknown>[] = [];

  constructor() {
    super(60_000);
  }

  protected override async run(): Promise<void> {
    const round = Promise.withResolvers();
    this.rounds.push(round);
    await round.promise;
  }

  get aborted(): boolean {
    return this.signal.aborted;
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe(BackgroundJob.name, () => {
  let job: ControlledJob | undefined;

  afterEach(async () => {
    const stopped = job?.beforeApplicationShutdown();
    job?.rounds.at(-1)?.resolve(undefined);
    await stopped;
  });

  it('does nothing where background work is disabled', async () => {
    BackgroundJob.isEnabled = false;
    try {
      job = new ControlledJob();
      job.onApplicationBootstrap();
      job.start();
      await turn();
      expect(job.rounds).toEqual([]);
    } finally {
      BackgroundJob.isEnabled = true;
    }
  });

  it('runs at the start, and once more for all that ask while it runs', async () => {
    job = new ControlledJob();
    job.onApplicationBootstrap();
    job.start();
    job.start();
    await turn();
    expect(job.rounds).toHaveLength(1);
    job.rounds[0]?.resolve(undefined);
    await turn();
    expect(job.rounds).toHaveLength(2);
    job.rounds[1]?.resolve(undefined);
    await turn();
    expect(job.rounds).toHaveLength(2);
  });

  it('logs an error, and runs again', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    job = new ControlledJob();
    job.onApplicationBootstrap();
    job.rounds[0]?.reject(new Error('the disk is full'));
    await turn();
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: 'the disk is full' }));
    log.mockRestore();
    job.start();
    expect(job.rounds).toHaveLength(2);
  });

  it('stops by aborting its signal, waits for the round, and begins no other', async () => {
    job = new ControlledJob();
    job.onApplicationBootstrap();
    job.start();
    let stopped = false;
    void job.beforeApplicationShutdown().then(() => (stopped = true));
    await turn();
    expect([job.aborted, stopped]).toEqual([true, false]);
    job.rounds[0]?.resolve(undefined);
    await turn();
    expect([stopped, job.rounds.length]).toEqual([true, 1]);
  });
});
