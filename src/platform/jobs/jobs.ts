import {
  Injectable,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
  type Type,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { databaseNow } from '../database/database-now.js';
import { type DeclaredJob, declaredJobs } from './job.js';
import { JobLock } from './job-lock.js';
import { RunningJob } from './running-job.js';
import { WorkQueue } from './work-queue.js';

/** Runs the methods declared with `@Job`: at the start of the service, at intervals, and when asked to. */
@Injectable()
export class Jobs implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  /** False in operator commands, whose environment may lack what the service has. */
  static isEnabled = true;

  private readonly running: RunningJob[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly lock: JobLock,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** @throws Error if a queue does not have exactly one handler, or two jobs have one lease */
  onApplicationBootstrap(): void {
    if (!Jobs.isEnabled) return;
    const instances = this.discovery.getProviders().map(({ instance }): unknown => instance);
    const providers = [...new Set(instances)].filter((one) => one instanceof Object);
    const jobs = providers.flatMap((provider) =>
      (declaredJobs.get(provider.constructor) ?? []).map((job) => ({ provider, job })),
    );
    const queues = providers.filter((one) => one instanceof WorkQueue);
    for (const { constructor } of queues) {
      const handlers = jobs.filter(({ job }) => job.queue === constructor).length;
      if (handlers !== 1) throw new Error(`${constructor.name} has ${handlers} handlers, not 1`);
    }
    for (const [lease, [one, other]] of Map.groupBy(jobs, ({ job }) => job.singleton)) {
      if (lease === undefined || !one || !other) continue;
      const names = `${one.provider.constructor.name} and ${other.provider.constructor.name}`;
      throw new Error(`The jobs of ${names} both have the lease ${lease}`);
    }
    for (const { provider, job } of jobs) {
      const queue = queues.find(({ constructor }) => constructor === job.queue);
      this.add(provider, { ...job, run: (one, round) => job.run(one, round, queue) });
    }
  }

  /** Runs a job that no method declares, because its class has several instances with a job each. */
  add(provider: object, declared: DeclaredJob): RunningJob | undefined {
    if (!Jobs.isEnabled) return undefined;
    const now = () => databaseNow(this.dataSource.manager);
    const job = new RunningJob(provider, declared, this.lock, now);
    this.running.push(job);
    job.startAtIntervals();
    return job;
  }

  /** Nest calls this before all other hooks of a shutdown, so jobs can still use other providers. */
  async onModuleDestroy(): Promise<void> {
    const ending = this.running.filter(({ declared }) => !declared.untilAnswered);
    await Promise.all(ending.map((job) => job.stop()));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.running.map((job) => job.stop()));
  }

  /** Runs the jobs of a provider now, or once more when the running round has ended. */
  start(provider: Type): void {
    for (const job of this.running) if (job.provider instanceof provider) job.start();
  }
}
