import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { Injectable, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { AggregatorRegistry, Counter, Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { Config } from '../config/config.js';
import { postgresPool } from '../database/typeorm-internals.js';
import { Jobs } from '../jobs/jobs.js';
import { WorkerStarts } from '../jobs/worker-starts.js';
import { Metrics } from './metrics.js';
import { serveMetrics } from './metrics-server.js';

/** Serves all metrics on a separate port, and adds those of the platform. */
@Injectable()
export class MetricsExport implements OnApplicationBootstrap, OnApplicationShutdown {
  private server?: Server;

  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
    @InjectDataSource() dataSource: DataSource,
  ) {
    watchWorkerStarts(metrics);
    if (config.postgres) watchPool(metrics, postgresPool(dataSource));
  }

  async onApplicationBootstrap(): Promise<void> {
    const { METRICS_PORT } = this.config;
    // An operator command may run beside the service, which has the port.
    if (METRICS_PORT === undefined || !Jobs.isEnabled) return;
    if (cluster.isWorker) new AggregatorRegistry();
    else this.server = await serveMetrics(this.config, METRICS_PORT, this.metrics.registry);
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}

function watchWorkerStarts({ registry }: Metrics): void {
  new Counter({
    name: 'latchkey_worker_start_failures_total',
    help: 'Threads and processes of the service that failed to start, by what they do.',
    labelNames: ['worker'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [worker, count] of WorkerStarts.failures) this.inc({ worker }, count);
    },
  });
}

function watchPool({ registry }: Metrics, pool: Pool): void {
  new Gauge({
    name: 'latchkey_database_connections',
    help: 'Connections to PostgreSQL, and requests that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}
